import { Link, useRouter } from '@tanstack/react-router'
import { Component, createContext, type ReactNode, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Logo } from '@/components/logo'
import { useTitle } from '@/lib/browser-hooks'
import { i18n } from '@/lib/i18n'

type MessagePageProps = { title: string; help: string; children: ReactNode }

/** Whether a layout has put a `main` around its pages: there may be only one. */
export const InsideMain = createContext(false)

/** A page with a single message. */
export function MessagePage({ title, help, children }: MessagePageProps) {
  const Tag = useContext(InsideMain) ? 'div' : 'main'
  return (
    <Tag className="grid min-h-[80dvh] place-items-center px-6 text-center">
      <div className="flex flex-col items-center gap-3">
        <Logo className="mb-3 size-10 rounded-m" />
        <h1 className="font-serif text-hero">{title}</h1>
        <p className="mb-3 text-md text-muted">{help}</p>
        {children}
      </div>
    </Tag>
  )
}

export function NotFound() {
  const { t } = useTranslation('errors')
  useTitle(t('notFound'))
  return (
    <MessagePage title={t('notFound')} help={t('notFoundHelp')}>
      <Button variant="primary" asChild>
        <Link to="/">{t('goHome')}</Link>
      </Button>
    </MessagePage>
  )
}

/** The code of a page could not be loaded, such as without a connection. */
export class PageLoadError extends Error {
  override readonly name = 'PageLoadError'
  constructor(
    cause: unknown,
    /** Loads the code again. */
    readonly retry: () => Promise<unknown>,
  ) {
    super('The page could not be loaded.', { cause })
  }
}

type ErrorPageProps = {
  error?: unknown
  /** Renders the page again. */
  onRetry?: () => void
}

/** Shown when a page fails. Has no dependencies that may themselves be broken. */
export function ErrorPage({ error, onRetry }: ErrorPageProps) {
  if (error instanceof PageLoadError && onRetry) {
    return (
      <MessagePage title={i18n.t('errors:notLoaded')} help={i18n.t('errors:notLoadedHelp')}>
        <Button variant="primary" onClick={() => void error.retry().then(onRetry)}>
          {i18n.t('common:retry')}
        </Button>
      </MessagePage>
    )
  }
  return (
    <MessagePage title={i18n.t('errors:fallback')} help={i18n.t('errors:fallbackHelp')}>
      <Button variant="primary" onClick={() => window.location.reload()}>
        {i18n.t('common:reload')}
      </Button>
    </MessagePage>
  )
}

/** The error of a route. Its layout stays, so that the navigation works. */
export function RouteError({ error }: { error: unknown }) {
  const router = useRouter()
  return <ErrorPage error={error} onRetry={() => void router.invalidate()} />
}

/** Root error boundary, so that a failure never leaves a blank page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <ErrorPage /> : this.props.children
  }
}
