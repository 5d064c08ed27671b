import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { useSaving, useSession, useView } from '@/document/use-session'
import { nodeDifferences, type Side } from '@/graph/diff'
import type { FlowDocument } from '@/graph/document'
import { merge, renameClashingIds } from '@/graph/merge'
import { annotationDifferences } from '@/graph/merge-annotations'
import { variableDifferences } from '@/graph/merge-variables'
import { ConflictCard } from './conflict-card'

/** Resolves an edit conflict: both sides by node, note, group and setting, with a choice for each. */
export function ConflictDialog() {
  const { t } = useTranslation('canvas')
  const { view } = useSession()
  const status = useSaving((state) => state.status)
  const start = useSaving((state) => state.saved.document)
  const theirs = useSaving((state) => state.theirs?.document)
  const later = useView((state) => state.hasPendingConflict)
  if (status !== 'conflict' || !theirs) return null
  return (
    <Dialog
      open={!later}
      onOpenChange={(open) => view.setState({ hasPendingConflict: !open })}
      title={t('conflict.title')}
      description={t('conflict.description')}
      size="xl"
    >
      <Sides start={start} theirs={theirs} />
    </Dialog>
  )
}

function Sides({ start, theirs }: { start: FlowDocument; theirs: FlowDocument }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const [mine] = useState(() => renameClashingIds(start, session.document, theirs))
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map())
  const list = useMemo(
    () =>
      [
        ...nodeDifferences(start, mine, theirs),
        ...variableDifferences({ start, mine, theirs }),
        ...annotationDifferences({ start, mine, theirs }),
      ].sort((one, other) => Number(other.clash) - Number(one.clash)),
    [start, mine, theirs],
  )
  const take = (document: FlowDocument) => void session.saver.resolve(document)
  return (
    <>
      <ul className="scrollbar-quiet flex max-h-[52vh] flex-col gap-2.5 overflow-y-auto">
        {list.map((difference) => (
          <ConflictCard
            key={difference.key}
            difference={difference}
            mine={mine}
            theirs={theirs}
            choices={choices}
            onChoices={setChoices}
          />
        ))}
        {list.length === 0 && <li className="text-muted text-sm">{t('conflict.merged')}</li>}
      </ul>
      <div className="flex flex-wrap items-center justify-end gap-2.5">
        <p className="mr-auto text-muted text-xs">{t('conflict.kept')}</p>
        <Button onClick={() => take(theirs)}>{t('conflict.takeTheirs')}</Button>
        <Button onClick={() => take(session.document)}>{t('conflict.keepMine')}</Button>
        <Button variant="primary" onClick={() => take(merge(start, mine, theirs, choices))}>
          {t('conflict.merge')}
        </Button>
      </div>
    </>
  )
}
