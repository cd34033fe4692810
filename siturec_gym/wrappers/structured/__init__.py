"""An assistant's turn in structured form: what is known from the dialogue, the candidates, and the intents."""
