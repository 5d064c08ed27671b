import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/lib/api/error'
import { rejectedFields } from '@/lib/launch/use-launch'
import { toastError } from '@/lib/toasts'
import { type Booking, BookingDialog } from '../booking-dialog'

type LaunchErrorDialogProps = { error: unknown; name?: string | undefined; onClose: () => void }

/** Says why a launch was refused: a call to book, a field to mend (the form shows it), or a notice. */
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
