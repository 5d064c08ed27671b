import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Background, BackgroundVariant, ReactFlow } from '@xyflow/react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Logo as Sign } from '@/components/logo'
import { useDocument, useSession } from '@/document/use-session'
import type { FlowDocument } from '@/graph/document'
import { parseDocument } from '@/graph/parse'
import { versionQuery, versionsQuery } from '@/lib/api/versions'
import { useNarrower, WIDTHS } from '@/lib/browser-hooks'
import { ComparedVersions, DiffCard, type DiffStatus, diffElements } from './diff-view'
import { RestoreButton, RunVersionButton, WithdrawButton } from './version-actions'
import { VersionList } from './version-list'
import { versionNameInSentence } from './version-names'

const nodeTypes = { compared: DiffCard }
const pillLook =
  'pointer-events-auto flex h-12 items-center gap-2.5 rounded-pill border border-hairline bg-surface px-3 shadow-card'

/** All versions and saves, and the comparison of one with the draft or another. */
export function HistoryPage({ name, live }: { name: string; live: number | null }) {
  const { t } = useTranslation('history')
  const { t: canvas } = useTranslation('canvas')
  const session = useSession()
  const { data: versions } = useQuery(versionsQuery(session.flowId))
  const [chosen, setChosen] = useState<string | null>(null)
  const [other, setOther] = useState<string>('draft')
  const base = chosen ?? versions?.find((one) => one.kind === 'published')?.ref ?? versions?.[0]?.ref ?? null
  const published = versions?.find((one) => one.ref === base && one.kind === 'published')
  // Without a history there is only the draft.
  const before = useVersion(base ?? (versions ? 'draft' : null))
  const after = useVersion(other)
  const back = () => session.view.setState({ mode: 'edit' })
  useEffect(() => document.querySelector<HTMLElement>('main li button')?.focus(), [])
  return (
    <div className="fixed inset-0 overflow-hidden bg-paper">
      <header className="pointer-events-none absolute inset-x-4 top-3.5 z-10 flex flex-wrap items-center gap-3">
        <div className={pillLook}>
          <Link to="/" aria-label={canvas('toolbar.home')} className="flex-none rounded-s">
            <Sign />
          </Link>
          <Link to="/flow" className="text-muted hover:text-ink max-sm:hidden">
            {canvas('toolbar.agents')} /
          </Link>
          <h1 className="max-w-60 truncate font-semibold">{name}</h1>
          <span className="text-muted max-sm:hidden">{t('title')}</span>
        </div>
        <span className="flex-1" />
        <div className={pillLook}>
          {base && versions && (
            <ComparedVersions
              versions={versions}
              base={base}
              other={other}
              onOther={setOther}
              className="max-lg:hidden"
            />
          )}
          {base && session.canEdit && (
            <RestoreButton
              version={base}
              name={versionNameInSentence(base, versions ?? [], t)}
              onDone={back}
            />
          )}
          {published?.number && !published.withdrawn_at && session.canEdit && (
            <>
              <RunVersionButton number={published.number} onStarted={back} />
              <WithdrawButton number={published.number} />
            </>
          )}
          <Button variant="primary" size="sm" className="h-[34px] px-3.5" onClick={back}>
            {t('back')}
          </Button>
        </div>
      </header>
      <main aria-label={t('open', { name })} className="absolute inset-0">
        <VersionList
          versions={versions}
          live={live}
          before={before}
          after={after}
          base={base}
          other={other}
          onChoose={(ref) => {
            setChosen(ref)
            setOther('draft')
          }}
          onCompare={setOther}
        />
        {before && after && <Comparison key={`${base} ${other}`} before={before} after={after} />}
      </main>
    </div>
  )
}

function Comparison({ before, after }: { before: FlowDocument; after: FlowDocument }) {
  const { t } = useTranslation('history')
  const { catalog } = useSession()
  const narrow = useNarrower(WIDTHS.desk)
  const { nodes, edges } = useMemo(() => {
    const says = {
      node: (title: string, mark: DiffStatus) => t('marked', { what: title, mark: t(mark) }),
      edge: (from: string, to: string, mark: DiffStatus) =>
        t('marked', { what: t('edge', { from, to }), mark: t(mark) }),
    }
    return diffElements(before, after, catalog, says)
  }, [before, after, catalog, t])
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      nodesDraggable={false}
      nodesConnectable={false}
      elementsSelectable={false}
      deleteKeyCode={null}
      ariaLabelConfig={NO_KEYBOARD_HINTS}
      fitView
      fitViewOptions={narrow ? FIT_ABOVE : FIT}
      minZoom={0.06}
      panOnScroll
      onlyRenderVisibleElements
      proOptions={PRO_OPTIONS}
    >
      <Background variant={BackgroundVariant.Dots} gap={22} size={2} color="var(--hairline-strong)" />
    </ReactFlow>
  )
}

const FIT = { padding: { top: '100px', left: '40px', right: '380px', bottom: '40px' }, maxZoom: 1 } as const
/** On narrow screens, the list is below the canvas. */
const FIT_ABOVE = {
  padding: { top: '140px', left: '16px', right: '16px', bottom: '44%' },
  maxZoom: 1,
} as const
const PRO_OPTIONS = { hideAttribution: true }
/** React Flow's own description explains editing, but this canvas is read-only. */
const NO_KEYBOARD_HINTS = { 'node.a11yDescription.keyboardDisabled': '', 'edge.a11yDescription.default': '' }

/** The document of a version; the draft is the open document. */
function useVersion(ref: string | null): FlowDocument | null {
  const session = useSession()
  const draft = useDocument((flow) => flow)
  const stored = ref !== null && ref !== 'draft'
  const { data } = useQuery({ ...versionQuery(session.flowId, ref ?? ''), enabled: stored })
  return useMemo(() => {
    if (!stored) return ref === null ? null : draft
    return data ? parseDocument(data.flow) : null
  }, [stored, ref, draft, data])
}
