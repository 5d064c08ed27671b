import { BookingDialog } from '@/components/booking-dialog'
import { useSession, useView } from '@/document/use-session'
import { isApiError } from '@/lib/api/error'

/** A quota or a private beta stands in the way of a run: a call is offered. */
export function LaunchErrorDialog() {
  const { view } = useSession()
  const error = useView((state) => state.launchError)
  const quota = isApiError(error, 'quota_exceeded')
  const booking = isApiError(error)
    ? {
        reason: quota ? ('quota' as const) : ('beta' as const),
        detail: error.message,
        url: error.bookACallUrl,
      }
    : null
  return <BookingDialog booking={booking} onClose={() => view.setState({ launchError: null })} />
}
