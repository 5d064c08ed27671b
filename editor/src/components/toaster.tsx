import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { dismissToast, TOAST_DURATION, TOAST_SWIPE_THRESHOLD, type Toast, useToasts } from '@/lib/toasts'
import { IconButton } from './icon-button'
import { leaveFloating } from './overlay'
import { overlayRoot } from './overlay-root'

/** The toast region; shows one toast at a time. Mounted once, by the app. */
export function Toaster() {
  const { t } = useTranslation('common')
  const toasts = useToasts((state) => state.toasts)
  return (
    <Radix.Provider
      duration={TOAST_DURATION}
      swipeDirection="right"
      swipeThreshold={TOAST_SWIPE_THRESHOLD}
      label={t('notification')}
    >
      {toasts.map((toast) => (
        <Notice key={toast.id} toast={toast} />
      ))}
      <Corner />
    </Radix.Provider>
  )
}

const CORNER = '[data-corner]'

function Corner() {
  const { t } = useTranslation('common')
  const corner = (
    <Radix.Viewport
      // Modal dialogs hide everything outside them except live regions, so a toast over one stays visible.
      aria-live="off"
      data-corner
      label={t('notifications')}
      className="fixed right-0 bottom-0 z-70 m-0 flex w-full max-w-105 list-none flex-col gap-2 p-4 outline-none"
    />
  )
  const place = overlayRoot()
  return place ? createPortal(corner, place) : corner
}

const glyphs = {
  plain: null,
  success: <CircleCheck className="mt-px size-4.5 text-viridian" />,
  error: <CircleAlert className="mt-px size-4.5 text-madder" />,
}

function Notice({ toast }: { toast: Toast }) {
  const { t } = useTranslation('common')
  const close = () => {
    // Closing a toast would leave the focus on the region; return it to the previous element.
    if (document.activeElement?.matches(CORNER)) leaveFloating()
    dismissToast(toast.id)
  }
  return (
    <Radix.Root
      open={toast.open}
      onOpenChange={(open) => !open && close()}
      duration={toast.duration}
      type={toast.tone === 'error' ? 'foreground' : 'background'}
      className="pointer-events-auto data-[state=open]:animate-toast-in data-[state=closed]:animate-fade-out data-[swipe=end]:animate-toast-swipe-out flex items-start gap-3 rounded-m border border-hairline bg-surface py-3 pr-2 pl-4 shadow-float data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0"
    >
      {glyphs[toast.tone]}
      <div className="min-w-0 flex-1 py-0.5">
        <Radix.Title className="font-semibold">{toast.title}</Radix.Title>
        {toast.description && (
          <Radix.Description className="mt-0.5 text-muted text-sm">{toast.description}</Radix.Description>
        )}
        {toast.action && (
          <Radix.Action
            altText={toast.action.label}
            onClick={toast.action.onPress}
            className="mt-2 font-semibold text-cobalt-text text-sm hover:underline"
          >
            {toast.action.label}
          </Radix.Action>
        )}
      </div>
      <Radix.Close asChild>
        <IconButton size="sm" label={t('dismiss')} icon={<X />} tooltip={false} />
      </Radix.Close>
    </Radix.Root>
  )
}
