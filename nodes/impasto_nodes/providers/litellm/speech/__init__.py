"""Speech of OpenAI and Gemini, through litellm."""
