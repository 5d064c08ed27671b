import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Sparkle } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { IconButton } from '@/components/icon-button'
import { InputsForm } from '@/components/launch/inputs-form'
import { LaunchErrorDialog } from '@/components/launch/launch-error'
import { useRunner, useSession } from '@/document/use-session'
import { flowQuery } from '@/lib/api/flows'
import { useLaunch } from '@/lib/launch/use-launch'

type LaunchPanelProps = {
  /** Set where the panel is over the canvas. */
  onClose?: () => void
  className: string
}

/** An agent of another user: description, input form and launch; the run is shown on the canvas. */
export function LaunchPanel({ onClose, className }: LaunchPanelProps) {
  const { t } = useTranslation('inspector')
  const session = useSession()
  const { data: flow } = useQuery(flowQuery(session.flowId))
  const busy = useRunner((state) => state.busy !== null)
  const launch = useLaunch({
    flow,
    onStarted: (run) => {
      onClose?.()
      void session.runner.open(run.id)
    },
  })
  return (
    <section aria-label={t('launch.label')} className={className}>
      <header className="flex flex-none items-start gap-2 border-hairline border-b px-4 py-3.5">
        <div className="min-w-0 flex-1">
          <h2 className="font-serif text-title">{flow?.name}</h2>
          <p className="mt-1 text-muted text-sm">{flow?.description}</p>
        </div>
        {onClose && (
          <IconButton label={t('close')} icon={<ChevronDown />} tooltip={false} onClick={onClose} />
        )}
      </header>
      <div className="scrollbar-quiet min-h-0 flex-1 overflow-y-auto px-4 py-4">
        {launch.fields.length === 0 && <p className="text-muted text-sm">{t('launch.nothing')}</p>}
        <InputsForm
          fields={launch.fields}
          values={launch.filled}
          errors={launch.rejected}
          onChange={launch.change}
          imageOf={launch.imageOf}
        />
      </div>
      <footer className="flex-none border-hairline border-t p-3">
        <Button
          variant="primary"
          shape="block"
          size="lg"
          busy={launch.starting || busy}
          className="rounded-field"
          onClick={launch.start}
        >
          <Sparkle aria-hidden />
          {t('launch.start')}
        </Button>
      </footer>
      <LaunchErrorDialog error={launch.error} name={flow?.name} onClose={launch.clearError} />
    </section>
  )
}
