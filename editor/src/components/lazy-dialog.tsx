import { type ComponentType, useEffect, useState } from 'react'
import { i18n } from '@/lib/i18n'
import { toast } from '@/lib/toasts'

/**
 * A dialog, or another part of a page, whose code loads when it is first shown. If that fails a message offers to try again, and the page stays
 * as it is; `lazy` would replace the page with its error.
 */
export function lazyDialog<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  return function LazyDialog(props: Props) {
    const [Dialog, setDialog] = useState<ComponentType<Props> | null>(() => loaded)
    useEffect(() => {
      let isShown = true
      async function request() {
        try {
          loaded ??= await load()
          if (isShown) setDialog(() => loaded)
        } catch {
          if (isShown) toast({ title: i18n.t('errors:partNotLoaded'), tone: 'error', action })
        }
      }
      const action = { label: i18n.t('common:retry'), onPress: () => void request() }
      void request()
      return () => {
        isShown = false
      }
    }, [])
    return Dialog && <Dialog {...props} />
  }
}
