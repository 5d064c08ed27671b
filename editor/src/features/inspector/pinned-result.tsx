import { Pin as PinIcon, PinOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Textarea } from '@/components/input'
import { MediaControl } from '@/components/setting/media-control'
import { useSession } from '@/document/use-session'
import type { FlowNode, Pin, PinnedOutput } from '@/graph/document'
import { setPin } from '@/graph/edits/nodes'
import { outputPorts } from '@/graph/ports'
import type { SettingField } from '@/graph/setting-fields'
import { isMedia } from '@/lib/run/media-values'
import { ResultValue } from './result-value'

/** The pinned result of a node: its texts are edited in place, its files replaced. */
export function PinnedResult({ node, pin }: { node: FlowNode; pin: Pin }) {
  const { t } = useTranslation('inspector')
  const session = useSession()
  const change = (port: string, output: PinnedOutput) =>
    session.edit(
      (document) => setPin(document, node.id, { ...pin, outputs: { ...pin.outputs, [port]: output } }),
      `pin:${node.id}`,
    )
  const outputs = Object.entries(pin.outputs)
  const titles = new Map(
    outputPorts(node, session.catalog.typeOf(node)).map(({ name, title }) => [name, title]),
  )
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-start gap-2.5 rounded-m bg-cobalt/8 px-3 py-2.5">
        <PinIcon aria-hidden className="mt-0.5 size-4 flex-none text-cobalt-text" />
        <p className="flex-1 text-sm">
          <strong className="block font-semibold">{t('results.pinned')}</strong>
          {t('results.pinnedText')}
        </p>
        {session.canEdit && (
          <Button size="sm" onClick={() => session.edit((document) => setPin(document, node.id, undefined))}>
            <PinOff />
            {t('results.unpin')}
          </Button>
        )}
      </div>
      {outputs.map(([port, output]) => {
        const title = titles.get(port) ?? port
        return (
          <section key={port} className="flex flex-col gap-2">
            {outputs.length > 1 && <h3 className="font-semibold text-faint text-xs">{title}</h3>}
            <EditedValue
              title={title}
              type={output.type}
              value={output.value}
              onChange={(value) => change(port, { ...output, value })}
            />
          </section>
        )
      })}
    </div>
  )
}

type EditedValueProps = {
  title: string
  type: string
  value: unknown
  onChange: (value: unknown) => void
}

function isTextOrMediaList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' || isMedia(item))
}

/** A text or file with its control, lists of them item by item; other values, such as a table, as they are. */
function EditedValue({ title, type, value, onChange }: EditedValueProps) {
  const { t } = useTranslation('inspector')
  const session = useSession()
  const settle = () => session.flow.settle()
  if (!session.canEdit) return <ResultValue value={value} />
  if (isTextOrMediaList(value)) {
    return value.map((item, at) => (
      <EditedValue
        // biome-ignore lint/suspicious/noArrayIndexKey: a place in the list is its identity
        key={at}
        title={t('results.item', { title, number: at + 1 })}
        type={type}
        value={item}
        onChange={(next) => onChange(value.with(at, next))}
      />
    ))
  }
  if (type === 'Text' && typeof value === 'string') {
    return (
      <Textarea
        aria-label={title}
        rows={6}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onBlur={settle}
      />
    )
  }
  if (!isMedia(value)) return <ResultValue value={value} />
  return (
    <MediaControl
      field={fieldOf(title, value.$type)}
      typeId=""
      value={value}
      // A pinned result has no empty place: removing the file keeps the one before.
      onChange={(next) => isMedia(next) && next.$type === value.$type && onChange(next)}
      onSettle={settle}
    />
  )
}

function fieldOf(title: string, type: string): SettingField {
  return {
    name: title,
    title,
    schema: { 'x-type': type },
    advanced: false,
    main: false,
    group: null,
    required: true,
  }
}
