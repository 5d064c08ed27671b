import { CalendarClock } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/lib/api/error'
import { rejectedFields } from '@/lib/launch/use-launch'
import { toastError } from '@/lib/toasts'
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

type LaunchErrorDialogProps = { error: unknown; name?: string | undefined; onClose: () => void }

/** Shows why a launch was refused: an offer of a call, errors at form fields, or a message. */
export function LaunchErrorDialog({ error, name, onClose }: LaunchErrorDialogProps) {
  const { t } = useTranslation('launch')
  const booking = bookingOf(error, name)
  const notice = error !== null && booking === null && Object.keys(rejectedFields(error)).length === 0
  useEffect(() => {
    if (notice) toastError(t('failed'), error)
  }, [notice, error, t])
  return <BookingDialog booking={booking} onClose={onClose} />
}

export function bookingOf(error: unknown, name?: string): Booking | null {
  if (isApiError(error, 'quota_exceeded'))
    return { reason: 'quota', detail: error.message, url: error.bookACallUrl }
  if (isApiError(error, 'private_beta')) {
    return { reason: 'beta', detail: error.message, url: error.bookACallUrl, name }
  }
  return null
}
