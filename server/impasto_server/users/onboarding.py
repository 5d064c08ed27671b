"""The answers that the onboarding offers, with their labels."""

from fastapi import APIRouter

from impasto_server.users.schemas import Choice, Reason, Role

router = APIRouter(prefix="/user-info", tags=["users"])

_ROLES: dict[Role, str] = {
    "growth_performance_marketer": "Growth / performance marketer",
    "content_social_media_marketer": "Content / social media marketer",
    "brand_designer": "Brand designer",
    "ux_ui_designer": "UX/UI designer",
    "founder_c_level": "Founder / C-level",
    "marketing_design_leader": "Marketing / design leader",
    "freelancer": "Freelancer",
    "other": "Other",
}
_REASONS: dict[Reason, str] = {
    "improve_design": "Improve design",
    "save_time": "Save time",
    "increase_productivity": "Increase productivity",
    "reduce_costs": "Reduce costs",
    "improve_quality": "Improve quality",
    "other": "Other",
}


@router.get("/roles")
async def roles() -> list[Choice]:
    """List the roles that a user can choose."""
    return [Choice(value=value, label=label) for value, label in _ROLES.items()]


@router.get("/reasons")
async def reasons() -> list[Choice]:
    """List the reasons for using the product that a user can choose."""
    return [Choice(value=value, label=label) for value, label in _REASONS.items()]
