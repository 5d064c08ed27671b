import { RotateCcw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { retryStep } from '@/document/run-actions'
import { useRunner, useSession } from '@/document/use-session'
import type { ErrorData } from '@/lib/run/types'
import { toastError } from '@/lib/toasts'

/** What went wrong, in words, and the way on. The builder sees the detail. */
export function CardError({ node, error }: { node: string; error: ErrorData }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const busy = useRunner((state) => state.busy !== null)
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="break-words text-madder-text">{(session.canEdit && error.message) || t('node.error')}</p>
      {session.canEdit && error.detail && error.detail !== error.message && (
        <p className="line-clamp-3 w-full break-words rounded-s bg-sunken px-2 py-1 font-mono text-[11px]">
          {error.detail}
        </p>
      )}
      {session.canEdit && (
        <Button
          size="sm"
          busy={busy}
          className="nodrag"
          onClick={() =>
            void retryStep(session, node).catch((thrown: unknown) =>
              toastError(t('run.failedToStart'), thrown),
            )
          }
        >
          <RotateCcw />
          {t('node.tryAgain')}
        </Button>
      )}
    </div>
  )
}
