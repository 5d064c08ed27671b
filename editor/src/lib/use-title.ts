import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

/** Names the page for the window, the history and whoever listens to it. */
export function useTitle(title: string | undefined): void {
  const { t } = useTranslation('common')
  const product = t('product')
  useEffect(() => {
    document.title = title ? `${title} · ${product}` : product
  }, [title, product])
}
