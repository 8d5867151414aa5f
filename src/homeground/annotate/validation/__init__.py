"""The validation study: people play the chatbot, which shows whether the conversations' cues are heard."""
