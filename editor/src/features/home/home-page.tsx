import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DropOverlay } from '@/components/drop-overlay'
import { LaunchErrorDialog } from '@/components/launch/launch-error'
import { PromptBar, usePromptFiles } from '@/components/launch/prompt-bar'
import { lazyPart } from '@/components/lazy-part'
import type { AgentTab } from '@/lib/agents/categories'
import { useAgentPages } from '@/lib/agents/use-agent-pages'
import { isApiError } from '@/lib/api/error'
import { flowQuery } from '@/lib/api/flows'
import { useHasRendered, useTitle } from '@/lib/browser-hooks'
import type { Report } from '@/lib/launch/provenance-toast'
import { clearHomeDraft, readHomeDraft, useSavedDraft } from '@/lib/launch/saved-launch'
import { useLaunch } from '@/lib/launch/use-launch'
import { usePageDrop } from '@/lib/launch/use-page-drop'
import { useProvenance } from '@/lib/launch/use-provenance'
import { AddBrandLine } from './add-brand-line'
import { AgentChooser } from './agent-chooser'

const MadeHereDialog = lazyPart(
  async () => (await import('@/components/credentials/made-here-dialog')).default,
)

type HomePageProps = {
  /** An agent and images to start with, if the address names them. */
  agent?: string | undefined
  images?: readonly string[] | undefined
  /** The asset id of a mask that was painted on the image. */
  mask?: string | undefined
}

/** Home: the question, the prompt bar, the agents. */
export function HomePage({ agent, images, mask }: HomePageProps) {
  const { t } = useTranslation('home')
  useTitle(t('question'))
  const navigate = useNavigate()
  const hasRendered = useHasRendered()
  const [savedDraft] = useState(readHomeDraft)
  const [picked, setPicked] = useState<string | null>(agent ?? savedDraft.agent)
  const [tab, setTab] = useState<AgentTab | null>(null)
  const chosen = useChosen(picked)
  const { data: flow, isLoading } = useQuery({ ...flowQuery(chosen?.id ?? ''), enabled: chosen !== null })
  const launch = useLaunch({
    flow,
    draft: { prompt: savedDraft.prompt, images: images ?? savedDraft.images, mask },
    onStarted: (run) => {
      clearHomeDraft()
      void navigate({ to: '/run/$runId', params: { runId: run.id } })
    },
  })
  useSavedDraft({ prompt: launch.prompt, images: launch.uploads.assetIds, agent: picked }, !launch.started)
  const { refused, take, clearRejected } = usePromptFiles(launch)
  const [report, setReport] = useState<Report | null>(null)
  const trace = useProvenance(setReport)
  const dropping = usePageDrop({
    onFiles: (files) => {
      take(files)
      // Video and audio cannot go into the prompt, but may have been made by an agent.
      void trace(files).then((made) => made && clearRejected())
    },
  })

  return (
    <div className="px-4 pb-20 sm:px-6">
      <div className="pt-8 text-center sm:pt-16">
        <h1 className="text-balance font-serif text-[40px] leading-[1.02] tracking-[-0.015em] sm:text-hero">
          {t('question')}
        </h1>
        <p className="mt-2.5 text-lg text-muted">{t('subtitle')}</p>
      </div>
      <PromptBar
        autoFocus
        customizing={mask !== undefined}
        flow={flow}
        coming={isLoading && chosen ? chosen.id : null}
        launch={launch}
        rejected={refused}
        onFiles={take}
        className="mx-auto mt-6 max-w-215 sm:mt-8.5"
      />
      <div className="mx-auto mt-3.5 max-w-215 px-2">
        <AddBrandLine />
      </div>
      {hasRendered && (
        <AgentChooser
          chosen={chosen?.id ?? null}
          onChoose={setPicked}
          tab={tab ?? (chosen ? tabOf(chosen) : 'product')}
          onTab={setTab}
        />
      )}
      <LaunchErrorDialog error={launch.error} name={flow?.name} onClose={launch.clearError} />
      {report && <MadeHereDialog name={report.name} trace={report.trace} onClose={() => setReport(null)} />}
      <DropOverlay shown={dropping} title={t('dropTitle')} help={t('dropHelp')} />
    </div>
  )
}

/** An agent of the chooser. */
type Chosen = {
  id: string
  /** Whether the user owns it; null until that has loaded. */
  mine: boolean | null
}

/** The tab that an agent is in; null until it is known. */
function tabOf({ mine }: Chosen): AgentTab | null {
  if (mine === null) return null
  return mine ? 'own' : 'product'
}

/** The selected agent, if it still can be launched; else the first of another owner, else the first. */
function useChosen(picked: string | null): Chosen | null {
  const others = useAgentPages({ includeAll: false, mine: false })
  const hasNone = others.isSuccess && others.agents.length === 0
  const own = useAgentPages({ includeAll: false, mine: true }, { enabled: hasNone })
  const { data, error } = useQuery({ ...flowQuery(picked ?? ''), enabled: picked !== null })
  const isGone = (isApiError(error) && error.status === 404) || (data && data.status !== 'published')
  if (picked !== null && !isGone) return { id: picked, mine: data?.mine ?? (error ? false : null) }
  return others.agents[0] ?? own.agents[0] ?? null
}
