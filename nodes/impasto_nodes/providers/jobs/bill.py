"""The bill of jobs at a provider: each is charged once, in the attempt or process that sees its end."""

from dataclasses import dataclass

from impasto import Context, PaidCall

_UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Bill:
    """Charges jobs of one model. `price_usd` is that of a job; None if it is not known before the end."""

    call: PaidCall
    price_usd: float | None
    context: Context

    async def charge(
        self, memory: str, job_id: str, measured_usd: float, billed_usd: float | None = None
    ) -> None:
        """Charge a job that the provider bills, unless it was charged.

        It costs `billed_usd` if the provider says what it has billed, else its price, else `measured_usd`.
        """
        charged = await self.context.recall(_memo(memory))
        if charged == job_id:
            return
        if charged != _UNKNOWN:  # else the assumption was this job
            usd = measured_usd if self.price_usd is None else self.price_usd
            self.call.charge(usd if billed_usd is None else billed_usd)
        await self.context.remember(_memo(memory), job_id)

    async def assume(self, memory: str) -> None:
        """Charge a job of which it is not known whether the provider has created it."""
        if await self.context.recall(_memo(memory)) is None:
            self.call.charge(self.price_usd or 0.0)
            await self.context.remember(_memo(memory), _UNKNOWN)

    async def forget(self, memory: str) -> None:
        """Forget the job of this memo: another one will be created, and paid, in its place."""
        await self.context.remember(_memo(memory), None)

    def leave(self) -> None:
        """Charge nothing because the run stops: the job is cancelled, or another process goes on."""
        if self.context.abandoned:
            self.call.leave_open()
        else:
            self.call.charge(0.0)


async def is_charged(memory: str, context: Context) -> bool:
    """Return whether an earlier attempt has charged the job of this memo."""
    return await context.recall(_memo(memory)) is not None


def _memo(memory: str) -> str:
    return f"charged {memory}"
