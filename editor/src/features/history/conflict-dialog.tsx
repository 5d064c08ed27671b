import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { Segmented } from '@/components/segmented'
import { useSaving, useSession } from '@/document/use-session'
import { titleOf } from '@/graph/connect'
import type { FlowDocument, FlowNode } from '@/graph/document'
import { type Difference, differences, merge, type Side } from '@/graph/merge'

/** Somebody else saved meanwhile: both sides, node by node, and the person's choice. */
export function ConflictDialog() {
  const { t } = useTranslation('canvas')
  const status = useSaving((state) => state.status)
  const start = useSaving((state) => state.saved.document)
  const theirs = useSaving((state) => state.theirs?.document)
  if (status !== 'conflict' || !theirs) return null
  return (
    <Dialog
      open
      onOpenChange={() => undefined}
      title={t('conflict.title')}
      description={t('conflict.description')}
      size="lg"
    >
      <Sides start={start} theirs={theirs} />
    </Dialog>
  )
}

function Sides({ start, theirs }: { start: FlowDocument; theirs: FlowDocument }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const [mine] = useState(session.document)
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map())
  const list = useMemo(() => differences(start, mine, theirs), [start, mine, theirs])
  const take = (document: FlowDocument) => void session.saver.resolve(document)
  return (
    <>
      <ul className="scrollbar-quiet max-h-[46vh] divide-y divide-hairline overflow-y-auto rounded-m border border-hairline">
        {list.map((difference) => (
          <DifferenceRow
            key={difference.key}
            difference={difference}
            side={choices.get(difference.key) ?? difference.suggested}
            onSide={(side) => setChoices(new Map(choices).set(difference.key, side))}
          />
        ))}
        {list.length === 0 && <li className="px-3.5 py-3 text-muted text-sm">{t('conflict.merged')}</li>}
      </ul>
      <div className="flex flex-wrap justify-end gap-2.5">
        <Button onClick={() => take(theirs)}>{t('conflict.takeTheirs')}</Button>
        <Button onClick={() => take(mine)}>{t('conflict.keepMine')}</Button>
        <Button variant="primary" onClick={() => take(merge(start, mine, theirs, choices))}>
          {t('conflict.merge')}
        </Button>
      </div>
    </>
  )
}

type DifferenceRowProps = { difference: Difference; side: Side; onSide: (side: Side) => void }

function DifferenceRow({ difference, side, onSide }: DifferenceRowProps) {
  const { t } = useTranslation('canvas')
  const { catalogue } = useSession()
  const node = (difference.mine ?? difference.theirs) as FlowNode
  const told = difference.clash
    ? t('conflict.both')
    : t(difference.suggested === 'mine' ? 'conflict.onlyMine' : 'conflict.onlyTheirs')
  const word = (one: unknown) => t(one === undefined ? 'conflict.gone' : 'conflict.changed')
  return (
    <li className="flex items-center gap-3 px-3.5 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold text-sm">{titleOf(node, catalogue)}</p>
        <p className="text-muted text-xs">{told}</p>
      </div>
      <Segmented
        aria-label={titleOf(node, catalogue)}
        value={side}
        onValueChange={onSide}
        className="w-64"
        choices={[
          { value: 'mine', label: `${t('conflict.mine')} (${word(difference.mine)})` },
          { value: 'theirs', label: `${t('conflict.theirs')} (${word(difference.theirs)})` },
        ]}
      />
    </li>
  )
}
