"""Unreal Engine through UnrealCV: the client side, and the server that gives it our own stores."""
