"""UnrealCV's wire protocol over the embedded renderer: any UnrealCV program can visit our stores."""
