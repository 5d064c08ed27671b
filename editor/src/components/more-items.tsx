import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button'

type MoreItemsProps = {
  query: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => Promise<unknown>
  }
}

/** How far below the window the end of a list may be when the next page is loaded. */
const MARGIN = '600px'

/** The end of a list that is loaded page by page: loads the next page when it is near, or by its button. */
export function MoreItems({ query }: MoreItemsProps) {
  const { t } = useTranslation('common')
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    // After a failure only the button loads: else a server that is down would be asked without end.
    if (!element || !hasNextPage || isFetchingNextPage || isFetchNextPageError) return
    const watching = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && void fetchNextPage(),
      { rootMargin: MARGIN },
    )
    watching.observe(element)
    return () => watching.disconnect()
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])

  const hasButtonFocus = useRef(false)
  useEffect(() => {
    // The button of the last page is removed: the focus stays at the end of the list.
    if (!hasNextPage && hasButtonFocus.current) place.current?.focus({ preventScroll: true })
    hasButtonFocus.current = false
  }, [hasNextPage])

  return (
    <div ref={place} tabIndex={-1} className="mt-6 flex flex-col items-center gap-2 outline-none">
      {isFetchNextPageError && (
        <p role="alert" className="text-muted text-sm">
          {t('moreFailed')}
        </p>
      )}
      {hasNextPage && (
        <Button
          size="sm"
          busy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
          onFocus={() => {
            hasButtonFocus.current = true
          }}
          onBlur={() => {
            hasButtonFocus.current = false
          }}
        >
          {isFetchNextPageError ? t('retry') : t('showMore')}
        </Button>
      )}
    </div>
  )
}
