import '@/lib/i18n/api-workflow'
import { FileUp } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Checkbox } from '@/components/checkbox'
import { FileInput } from '@/components/file-input'
import { Select } from '@/components/select'
import {
  type ApiNode,
  type ApiWorkflow,
  type ExportFault,
  endsOf,
  fieldsOf,
  freePort,
  type InputKind,
  inputAt,
  kindOf,
  kindsOf,
  MAX_BYTES,
  OUTPUT_PORTS,
  type OutputKind,
  parseExport,
  readWorkflow,
  titleOfNode,
  type WorkflowOutput,
  withChanged,
  withInput,
  withNodes,
  withOutput,
  withoutInput,
  withoutOutput,
} from '@/graph/api-workflow'
import { type ControlProps, groupAccess } from './control-props'
import { FormOrJson } from './form-or-json'
import { NameInput } from './name-input'

/** Chooses an exported workflow, which of its fields are inputs and which of its nodes are outputs. */
export function ApiWorkflowControl(props: ControlProps) {
  const { value, onChange, onSettle, disabled = false, compact } = props
  const { t } = useTranslation('apiWorkflow')
  const file = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<ExportFault | null>(null)
  const workflow = readWorkflow(value)
  const nodes = Object.entries(workflow?.nodes ?? {})
  if (compact)
    return <p className="text-muted">{nodes.length > 0 ? t('nodes', { count: nodes.length }) : t('none')}</p>
  const put = (next: ApiWorkflow) => {
    onChange(next)
    onSettle()
  }
  const load = async ([chosen]: File[]) => {
    if (!chosen) return
    const read = chosen.size > MAX_BYTES ? { fault: 'tooLarge' as const } : parseExport(await chosen.text())
    setFault('fault' in read ? read.fault : null)
    if ('nodes' in read) put(withNodes(workflow ?? { nodes: {}, inputs: [], outputs: [] }, read.nodes))
  }
  const ends = workflow ? endsOf(workflow.nodes) : []
  const shown = nodes.filter(([id, node]) => fieldsOf(node).length > 0 || ends.includes(id))
  return (
    <FormOrJson {...props} hasForm={workflow !== null}>
      <fieldset {...groupAccess(props)} className="flex min-w-0 flex-col gap-2">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same */}
        <div
          className="flex flex-wrap items-center gap-2 rounded-m border border-hairline-strong border-dashed p-2.5"
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault()
            if (!disabled) void load(Array.from(event.dataTransfer.files))
          }}
        >
          <p className="min-w-32 flex-1 text-muted text-sm">
            {nodes.length > 0 ? t('nodes', { count: nodes.length }) : t('help')}
          </p>
          <Button size="sm" variant="quiet" disabled={disabled} onClick={() => file.current?.click()}>
            <FileUp aria-hidden />
            {nodes.length > 0 ? t('replace') : t('choose')}
          </Button>
          <FileInput ref={file} label={t('file')} accept=".json,application/json" onFiles={load} />
        </div>
        {fault && (
          <p role="alert" className="text-[12.5px] text-madder-text">
            {t(`faults.${fault}`)}
          </p>
        )}
        {workflow && shown.length > 0 && <p className="text-muted text-xs">{t('tick')}</p>}
        {workflow &&
          shown.map(([id, node]) => (
            <NodeFields
              key={id}
              id={id}
              node={node}
              isEnd={ends.includes(id)}
              workflow={workflow}
              disabled={disabled}
              onChange={onChange}
              onSettle={onSettle}
            />
          ))}
      </fieldset>
    </FormOrJson>
  )
}

type NodeFieldsProps = {
  id: string
  node: ApiNode
  /** Whether no other node uses it: it can be an output. */
  isEnd: boolean
  workflow: ApiWorkflow
  disabled: boolean
  onChange: (value: ApiWorkflow) => void
  onSettle: () => void
}

/** One node of the workflow: its fields, and whether it is an output. */
function NodeFields({ id, node, isEnd, workflow, disabled, onChange, onSettle }: NodeFieldsProps) {
  const { t } = useTranslation('apiWorkflow')
  const title = titleOfNode(node)
  const put = (next: ApiWorkflow) => {
    onChange(next)
    onSettle()
  }
  const output = workflow.outputs.find((one) => one.node === id)
  const rest = { workflow, disabled, onChange, onSettle }
  return (
    <fieldset
      aria-label={t('node', { title, id })}
      className="flex min-w-0 flex-col gap-1.5 rounded-m border border-hairline bg-paper/60 p-2.5"
    >
      <p className="flex min-w-0 items-baseline gap-2 text-sm">
        <span className="truncate font-semibold">{title}</span>
        {title !== node.class_type && <span className="truncate text-muted text-xs">{node.class_type}</span>}
        <span className="ml-auto flex-none text-muted text-xs">#{id}</span>
      </p>
      {fieldsOf(node).map(([field, literal]) => {
        const input = inputAt(workflow, id, field)
        return (
          <PortRow
            key={field}
            label={field}
            value={String(literal)}
            port={input}
            kinds={kindsOf(node, field)}
            others={workflow.inputs}
            isFull={!kindsOf(node, field).some((kind) => freePort(workflow, kind))}
            onToggle={(on) =>
              put(on ? withInput(workflow, id, field) : input ? withoutInput(workflow, input) : workflow)
            }
            {...rest}
          />
        )
      })}
      {(isEnd || output) && (
        <PortRow
          label={t('output')}
          value=""
          port={output}
          kinds={Object.keys(OUTPUT_PORTS) as OutputKind[]}
          others={workflow.outputs}
          isFull={!freePort(workflow, 'images')}
          onToggle={(on) =>
            put(on ? withOutput(workflow, id) : output ? withoutOutput(workflow, output) : workflow)
          }
          {...rest}
        />
      )}
    </fieldset>
  )
}

type PortRowProps = {
  label: string
  /** The value that the workflow has. */
  value: string
  port: WorkflowOutput | undefined
  kinds: readonly (InputKind | OutputKind)[]
  others: readonly WorkflowOutput[]
  /** Whether no port is left. */
  isFull: boolean
  workflow: ApiWorkflow
  disabled: boolean
  onToggle: (on: boolean) => void
  onChange: (value: ApiWorkflow) => void
  onSettle: () => void
}

/** A field or an output that may be a port; if it is one, its name and its type. */
function PortRow({
  label,
  value,
  port,
  kinds,
  others,
  isFull,
  workflow,
  disabled,
  ...actions
}: PortRowProps) {
  const { t } = useTranslation('apiWorkflow')
  const id = useId()
  const change = (next: Partial<WorkflowOutput>) =>
    port && actions.onChange(withChanged(workflow, port, next))
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex min-h-7 min-w-0 items-center gap-2 text-sm">
        <Checkbox
          id={id}
          checked={port !== undefined}
          disabled={disabled || (!port && isFull)}
          onCheckedChange={(on) => actions.onToggle(on === true)}
        />
        <label htmlFor={id} className="flex-none">
          {label}
        </label>
        <span className="min-w-0 flex-1 truncate text-right text-muted text-xs" title={value}>
          {value}
        </span>
      </div>
      {port && (
        <div className="flex min-w-0 flex-col gap-1.5 pl-7">
          <NameInput
            name={port.name}
            taken={others.filter((one) => one !== port).map(({ name }) => name)}
            label={t('nameOf', { label })}
            disabled={disabled}
            onRename={(name) => change({ name })}
            onSettle={actions.onSettle}
          />
          <Select<string>
            aria-label={t('typeOf', { label })}
            value={kindOf(port.port)}
            disabled={disabled}
            choices={kinds.map((kind) => ({
              value: kind,
              label: t(`kinds.${kind}`),
              disabled: kind !== kindOf(port.port) && !freePort(workflow, kind),
            }))}
            onValueChange={(kind) => {
              const free = freePort(workflow, kind as InputKind)
              if (free && kind !== kindOf(port.port)) change({ port: free })
              actions.onSettle()
            }}
          />
        </div>
      )}
    </div>
  )
}
