import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { i18n } from '@/lib/i18n'
import { toast } from '@/lib/toasts'

const PRELOAD_DELAY_MS = 3000

/** A part whose code can be loaded before it is shown; it then appears at once. */
export type LazyPart<Props extends object> = ComponentType<Props> & {
  readonly preload: () => Promise<unknown>
}

/** Loads code some seconds after the page, so that it is there when the connection is lost. */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), PRELOAD_DELAY_MS)
    return () => clearTimeout(timer)
  }, [load])
}

/**
 * A part of a page, such as a dialog, whose code loads when it is first shown. If that fails, a message offers to try again
 * and the page stays as it is; React's `lazy` would replace the page with its error.
 * `loading` is shown in its place until then, or what it returns for the properties of the part.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  loading: ReactNode | ((props: Props) => ReactNode) = null,
): LazyPart<Props> {
  let loaded: ComponentType<Props> | null = null
  const preload = async () => {
    loaded ??= await load()
  }
  function LazyPart(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | null>(() => loaded)
    useEffect(() => {
      let isShown = true
      async function request() {
        try {
          await preload()
          if (isShown) setPart(() => loaded)
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
    if (Part) return <Part {...props} />
    return typeof loading === 'function' ? loading(props) : loading
  }
  return Object.assign(LazyPart, { preload })
}
