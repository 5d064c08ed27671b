import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/lib/api/error'
import { rejectedFields } from '@/lib/launch/use-launch'
import { toastError } from '@/lib/toasts'
import { lazyPart } from '../lazy-part'
import type { Booking } from './booking-dialog'

// Contains the dialog, which the first page does not need.
const BookingDialog = lazyPart(async () => (await import('./booking-dialog')).BookingDialog)

type LaunchErrorDialogProps = { error: unknown; name?: string | undefined; onClose: () => void }

/** Shows why a launch was refused: an offer of a call, errors at form fields, or a message. */
export function LaunchErrorDialog({ error, name, onClose }: LaunchErrorDialogProps) {
  const { t } = useTranslation('launch')
  const booking = bookingOf(error, name)
  const notice = error !== null && booking === null && Object.keys(rejectedFields(error)).length === 0
  useEffect(() => {
    if (notice) toastError(t('failed'), error)
  }, [notice, error, t])
  // Stays once it was opened, so that it can close with its animation.
  const opened = useRef(false)
  opened.current ||= booking !== null
  return opened.current ? <BookingDialog booking={booking} onClose={onClose} /> : null
}

export function bookingOf(error: unknown, name?: string): Booking | null {
  if (isApiError(error, 'quota_exceeded'))
    return { reason: 'quota', detail: error.message, url: error.bookACallUrl }
  if (isApiError(error, 'private_beta')) {
    return { reason: 'beta', detail: error.message, url: error.bookACallUrl, name }
  }
  return null
}
