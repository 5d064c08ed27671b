import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Checkbox } from '@/components/checkbox'
import { Dialog } from '@/components/dialog'
import { Field } from '@/components/field'
import { Textarea } from '@/components/input'
import { useChecks, useDocument, useSession, useView } from '@/document/use-session'
import { titleOf } from '@/graph/connect'
import { describeDiff, diff, isEmpty } from '@/graph/diff'
import { parseDocument } from '@/graph/parse'
import { stateOf } from '@/graph/pins'
import { publishFlow } from '@/lib/api/drafts'
import { versionQuery } from '@/lib/api/versions'
import { useExclusiveMutate } from '@/lib/attempt'
import { toastError, toastSuccess } from '@/lib/toasts'
import { ProblemList } from './problems'

/** Publishes the draft as a new version, with a note and a list of changes. */
export function PublishDialog({ version }: { version: number | null }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const open = useView((view) => view.dialog === 'publish')
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => session.view.open(next ? 'publish' : null)}
      title={t('publish.title')}
      description={t('publish.description')}
      size="md"
    >
      <PublishForm version={version} />
    </Dialog>
  )
}

function PublishForm({ version }: { version: number | null }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const [note, setNote] = useState('')
  const [agreed, setAgreed] = useState(false)
  const mustAgree = useDocument((flow) => flow.nodes.some((node) => stateOf(node) !== null))
  // Who runs the agent brings keys of their own.
  const problems = useChecks((checks) => checks.problems).filter(
    ({ severity, code }) => severity === 'error' && code !== 'missing_credential',
  )
  const publishing = useMutation({
    mutationFn: async () => {
      if (!(await session.saver.save())) throw new Error(session.saver.store.getState().error ?? '')
      return publishFlow(session.flowId, note.trim())
    },
    onSuccess: ({ number }) => {
      session.view.open(null)
      toastSuccess(t('publish.done', { version: number ?? '' }))
    },
    onError: (error) => {
      void session.checker.check()
      toastError(t('publish.failed'), error)
    },
  })
  const publish = useExclusiveMutate(publishing)
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void publish()
      }}
    >
      <Changes version={version} />
      <StateNotice agreed={agreed} onAgree={setAgreed} />
      <Field label={t('publish.note')}>
        <Textarea
          rows={2}
          value={note}
          placeholder={t('publish.placeholder')}
          maxLength={500}
          onChange={(event) => setNote(event.target.value)}
        />
      </Field>
      {problems.length > 0 && (
        <section>
          <p className="mb-1 text-madder-text text-sm">{t('publish.blocked')}</p>
          <ProblemList problems={problems} onPick={() => session.view.open(null)} />
        </section>
      )}
      <div className="flex justify-end gap-2.5">
        <Button variant="ghost" onClick={() => session.view.open(null)}>
          {t('refusal.close')}
        </Button>
        <Button
          type="submit"
          variant="primary"
          busy={publishing.isPending}
          disabled={problems.length > 0 || (mustAgree && !agreed)}
        >
          {t('publish.action', { version: (version ?? 0) + 1 })}
        </Button>
      </div>
    </form>
  )
}

/** Names the nodes that runs of this version do not call, which the author has to confirm. */
function StateNotice({ agreed, onAgree }: { agreed: boolean; onAgree: (agreed: boolean) => void }) {
  const { t } = useTranslation('canvas')
  const { catalog } = useSession()
  const nodes = useDocument((flow) => flow.nodes)
  const found = nodes.flatMap((node) => {
    const state = stateOf(node)
    return state ? [{ id: node.id, title: titleOf(node, catalog), state }] : []
  })
  if (found.length === 0) return null
  return (
    <section className="rounded-m border border-ochre/40 bg-ochre/8 px-3.5 py-2.5 text-sm">
      <h3 className="font-semibold">{t('publish.states')}</h3>
      <ul className="mt-1 list-disc pl-5">
        {found.map(({ id, title, state }) => (
          <li key={id}>{t(`problems.state.${state}`, { title })}</li>
        ))}
      </ul>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is the label's control */}
      <label className="mt-2 flex items-center gap-2">
        <Checkbox checked={agreed} onCheckedChange={(checked) => onAgree(checked === true)} />
        {t('publish.agree')}
      </label>
    </section>
  )
}

/** The changes since the published version. */
function Changes({ version }: { version: number | null }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const { data } = useQuery({ ...versionQuery(session.flowId, String(version)), enabled: version !== null })
  if (version === null)
    return <p className="rounded-m bg-sunken px-3.5 py-2.5 text-sm">{t('publish.first')}</p>
  if (!data) return null
  const changes = diff(parseDocument(data.flow), session.document)
  const words = isEmpty(changes)
    ? t('publish.noChanges', { version })
    : t('publish.since', { version, changes: describeDiff(changes) })
  return <p className="rounded-m bg-sunken px-3.5 py-2.5 text-sm">{words}</p>
}
