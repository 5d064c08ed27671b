import { Link } from '@tanstack/react-router'
import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Logo } from '@/components/logo'
import { useTitle } from '@/lib/browser-hooks'
import { i18n } from '@/lib/i18n'

type MessagePageProps = { title: string; help: string; children: ReactNode }

/** A page with a single message. */
export function MessagePage({ title, help, children }: MessagePageProps) {
  return (
    <main className="grid min-h-[80dvh] place-items-center px-6 text-center">
      <div className="flex flex-col items-center gap-3">
        <Logo className="mb-3 size-10 rounded-m" />
        <h1 className="font-serif text-hero">{title}</h1>
        <p className="mb-3 text-md text-muted">{help}</p>
        {children}
      </div>
    </main>
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

/** Shown when a page fails. Has no dependencies that may themselves be broken. */
export function ErrorPage() {
  return (
    <MessagePage title={i18n.t('errors:fallback')} help={i18n.t('errors:fallbackHelp')}>
      <Button variant="primary" onClick={() => window.location.reload()}>
        {i18n.t('common:reload')}
      </Button>
    </MessagePage>
  )
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
