"""Private profiles and goals, the task builder and the task bank."""

from siturec_gym.tasks.bank import load_task_bank, resolve_tasks, training_tasks
from siturec_gym.tasks.files import load_task_file
from siturec_gym.tasks.records import Goal, InteractionSettings, Profile, Task, TaskBank

__all__ = [
    "Goal",
    "InteractionSettings",
    "Profile",
    "Task",
    "TaskBank",
    "load_task_bank",
    "load_task_file",
    "resolve_tasks",
    "training_tasks",
]
