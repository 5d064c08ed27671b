import { CalendarClock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../button'
import { Dialog } from '../dialog'

export type Booking = {
  /** Why the launch was refused. */
  reason: 'quota' | 'beta'
  /** The error message of the server, if it gave one. */
  detail?: string | undefined
  url: string | null
  /** What is restricted: an agent or a node. */
  name?: string | undefined
}

type BookingDialogProps = { booking: Booking | null; onClose: () => void }

/** Offers a call where the daily quota or a private beta prevents the launch. */
export function BookingDialog({ booking, onClose }: BookingDialogProps) {
  const { t } = useTranslation('launch')
  const reason = booking?.reason ?? 'quota'
  return (
    <Dialog
      open={booking !== null}
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title={t(`booking.${reason}.title`, { name: booking?.name ?? t('booking.thisAgent') })}
      description={
        reason === 'quota' ? t('booking.quota.detail') : (booking?.detail ?? t('booking.beta.detail'))
      }
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('booking.later')}
          </Button>
          {booking?.url && (
            <Button variant="primary" asChild>
              <a href={booking.url} target="_blank" rel="noreferrer noopener" onClick={onClose}>
                <CalendarClock aria-hidden />
                {t('booking.call')}
              </a>
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-1.5 text-muted text-sm empty:hidden">
        {reason === 'quota' && <p>{t('booking.quota.help')}</p>}
        {booking && !booking.url && <p>{t('booking.noCall')}</p>}
      </div>
    </Dialog>
  )
}
