import { reloadOnUpdate, watchForUpdates } from '@/lib/build-updates'
import { i18n } from '@/lib/i18n'
import { toast } from '@/lib/toasts'

/** Takes in a newer build of the editor: at once, or when the person says so while work is unsaved. */
export function followUpdates(): () => void {
  const forget = reloadOnUpdate({
    onBlocked: () =>
      toast({
        title: i18n.t('common:update.title'),
        description: i18n.t('common:update.description'),
        duration: Number.POSITIVE_INFINITY,
        action: { label: i18n.t('common:reload'), onPress: () => window.location.reload() },
      }),
  })
  const stop = watchForUpdates()
  return () => {
    forget()
    stop()
  }
}
