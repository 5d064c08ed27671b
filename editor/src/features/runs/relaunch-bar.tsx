import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { LaunchErrorDialog } from '@/components/launch/launch-error'
import { PromptBar, usePromptFiles } from '@/components/launch/prompt-bar'
import { type FlowDetail, flowQuery } from '@/lib/api/flows'
import type { Run } from '@/lib/api/runs'
import { fieldsOf } from '@/lib/launch/fields'
import { draftOf } from '@/lib/launch/inputs'
import { useLaunch } from '@/lib/launch/use-launch'
import { usePageDrop } from '@/lib/launch/use-page-drop'

type RelaunchBarProps = {
  run: Run
  flowId: string
  /** Opens with the input form visible. */
  customizing: boolean
  onClose: () => void
}

/** The prompt bar with the inputs of this run. */
export function RelaunchBar({ run, flowId, ...rest }: RelaunchBarProps) {
  const { data: flow } = useQuery(flowQuery(flowId))
  return flow ? <Bar run={run} flow={flow} {...rest} /> : null
}

type BarProps = Omit<RelaunchBarProps, 'flowId'> & { flow: FlowDetail }

function Bar({ run, flow, customizing, onClose }: BarProps) {
  const { t } = useTranslation('runs')
  const navigate = useNavigate()
  const draft = useMemo(() => draftOf(fieldsOf(flow.inputs), run.inputs), [flow.inputs, run.inputs])
  const launch = useLaunch({
    flow,
    draft,
    version: run.version === 'draft' ? 'draft' : null,
    onStarted: (started) => void navigate({ to: '/run/$runId', params: { runId: started.id } }),
  })
  const { refused, take } = usePromptFiles(launch)
  usePageDrop({ onFiles: take })
  return (
    <>
      <PromptBar
        autoFocus
        flow={flow}
        launch={launch}
        rejected={refused}
        onFiles={take}
        customizing={customizing}
        aside={
          <Button variant="ghost" onClick={onClose}>
            {t('cancelEdit')}
          </Button>
        }
      />
      <LaunchErrorDialog error={launch.error} name={flow.name} onClose={launch.clearError} />
    </>
  )
}
