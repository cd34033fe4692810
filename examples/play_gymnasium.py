"""Step the Supermarket with Gymnasium: the assistant acts, the simulated shopper lives inside.

Run: python examples/play_gymnasium.py
"""

import gymnasium as gym

import siturec_gym  # noqa: F401  registers the environments

env = gym.make("SituRec-Supermarket-v0", images=False)
observation, info = env.reset(seed=7, options={"task": "supermarket/03.2"})
done = False
while not done:
    action = env.action_space.sample()  # your policy goes here
    observation, reward, terminated, truncated, info = env.step(action)
    done = terminated or truncated
print(f"turns: {observation['turn']}, end: {info['end_reason']}, reward: {reward}")
