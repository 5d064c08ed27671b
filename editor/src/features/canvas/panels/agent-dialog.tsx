import { type FormEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Field } from '@/components/field'
import { Input } from '@/components/input'
import { extractSelected, replaceByAgent } from '@/document/extraction'
import { toastWithUndo } from '@/document/undo-toast'
import { useSession, useView } from '@/document/use-session'
import { titleOf } from '@/graph/connect'
import { findNode } from '@/graph/document'
import { type Promotion, promotedByDefault } from '@/graph/edits/promotions'
import { type Extraction, type ExtractionRefusal, isRefused } from '@/graph/edits/to-agent'
import { stateOf } from '@/graph/pins'
import { publishFlow } from '@/lib/api/drafts'
import { messageOf } from '@/lib/api/error'
import { createFlow, type FlowDetail } from '@/lib/api/flows'
import { useAttempt, useExclusive, wasRejected } from '@/lib/attempt'
import { typeLabel } from '@/lib/humanize'
import { PromotedSettings } from './promoted-settings'

const MAX_NAME = 120

/** Makes an agent of the selected nodes. */
export function AgentDialog() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const open = useView((state) => state.dialog === 'agent')
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => session.view.open(next ? 'agent' : null)}
      title={t('toAgent.title')}
      description={t('toAgent.text')}
      size="sm"
    >
      {open && <Content />}
    </Dialog>
  )
}

function Content() {
  const session = useSession()
  const nodes = useView((view) => view.nodes)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection is read from the session
  const found = useMemo(() => extractSelected(session, ''), [session, nodes])
  return isRefused(found) ? <Refused refusal={found} /> : <NameForm offers={found.offers} />
}

function Refused({ refusal }: { refusal: ExtractionRefusal }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const { document, catalog, view } = session
  const title = (id: string) => {
    const node = findNode(document, id)
    return node ? titleOf(node, catalog) : id
  }
  if (refusal.code === 'between') {
    return (
      <>
        <p role="alert">
          {t('toAgent.between', {
            count: refusal.nodes.length,
            titles: refusal.nodes.map(title).join(', '),
          })}
        </p>
        <Button className="mt-4" onClick={() => view.select([...view.getState().nodes, ...refusal.nodes])}>
          {t('toAgent.addBetween', { count: refusal.nodes.length })}
        </Button>
      </>
    )
  }
  if (refusal.code === 'noInput') {
    const { node, type } = refusal
    return <p role="alert">{t('toAgent.noInput', { title: title(node), type: typeLabel(type, false) })}</p>
  }
  return <p role="alert">{t(`toAgent.${refusal.code}`)}</p>
}

function NameForm({ offers }: { offers: readonly Promotion[] }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const [name, setName] = useState('')
  const [error, setError] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const attempt = useAttempt()
  const [promoted, setPromoted] = useState<readonly Promotion[]>(() => offers.filter(promotedByDefault))
  const preview = extractSelected(session, name.trim(), promoted)
  const create = useExclusive(async () => {
    const extraction = extractSelected(session, name.trim(), promoted)
    if (isRefused(extraction)) return
    setError('')
    setIsBusy(true)
    const facts = { ...NEW_AGENT, name: name.trim(), flow: { ...extraction.inner } }
    try {
      const agent = await createFlow(facts, attempt.keyOf(facts))
      const version = canPublish(extraction) ? await publishFirst(agent) : null
      attempt.done()
      session.view.open(null)
      replaceByAgent(session, extraction, agent, version)
      toastWithUndo(session, {
        title: t('toAgent.done', { name: agent.name }),
        description: version === null ? t('toAgent.following') : undefined,
      })
    } catch (failure) {
      if (wasRejected(failure)) attempt.done()
      setError(messageOf(failure))
    } finally {
      setIsBusy(false)
    }
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim()) void create()
    else setError(t('toAgent.noName'))
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field label={t('toAgent.name')} error={error || undefined} required>
        <Input
          autoFocus
          value={name}
          maxLength={MAX_NAME}
          onChange={(event) => {
            setError('')
            setName(event.target.value)
          }}
        />
      </Field>
      {!isRefused(preview) && <Preview extraction={preview} />}
      <PromotedSettings offers={offers} chosen={promoted} onChange={setPromoted} />
      <Button type="submit" variant="primary" busy={isBusy} className="self-end">
        {t('toAgent.create')}
      </Button>
    </form>
  )
}

/** Nodes that runs do not call are published only by an author who has confirmed it. */
const canPublish = ({ inner }: Extraction) => inner.nodes.every((node) => stateOf(node) === null)

/** Publishes a new agent; null if it cannot run yet. A repeat returns the version that the first attempt published. */
async function publishFirst({ id, version }: FlowDetail): Promise<number | null> {
  if (version !== null) return version
  try {
    return (await publishFlow(id, '')).number
  } catch (error) {
    if (wasRejected(error)) return null
    throw error
  }
}

const NEW_AGENT = {
  description: '',
  category: 'uncategorized',
  visibility: 'private',
  watermark: false,
  mark_exports: false,
} as const

/** What moves into the agent, and what that changes. */
function Preview({ extraction }: { extraction: Extraction }) {
  const { t } = useTranslation('canvas')
  const { document, catalog } = useSession()
  const { inner, moved, inputs, hidden } = extraction
  const entered = inner.nodes.filter(({ id }) => !moved.has(id))
  const titles = (nodes: typeof inner.nodes) => nodes.map((node) => titleOf(node, catalog)).join(', ')
  const of = (id: string) => {
    const node = findNode(document, id)
    return node ? titleOf(node, catalog) : id
  }
  return (
    <ul className="flex list-disc flex-col gap-1.5 pl-4 text-muted text-sm">
      <li>{t('toAgent.moved', { count: moved.size })}</li>
      <li>
        {entered.length > 0 ? t('toAgent.inputs', { titles: titles(entered) }) : t('toAgent.withoutInputs')}
      </li>
      {inputs.length > 0 && <li>{t('toAgent.stay', { count: inputs.length, titles: titles(inputs) })}</li>}
      <li>{t(canPublish(extraction) ? 'toAgent.held' : 'toAgent.follows')}</li>
      {hidden.length > 0 && (
        <li>
          {t('toAgent.hidden', {
            count: hidden.length,
            settings: hidden.map(({ node, setting }) => `${of(node)}: ${setting}`).join(', '),
          })}
        </li>
      )}
    </ul>
  )
}
