import { Plug, RotateCcw, SquareUserRound } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '@/components/field'
import { FieldButton } from '@/components/field-button'
import type { ControlProps } from '@/components/setting/control-props'
import { goToPart } from '@/components/setting/go-to-part'
import { SettingControl } from '@/components/setting/setting-control'
import { useValueErrorText } from '@/components/setting/value-error-text'
import { useBoundNode } from '@/document/use-bound-node'
import { useMaskedImage } from '@/document/use-masked-image'
import { useChecks, useSession, useView } from '@/document/use-session'
import type { NodeType } from '@/graph/catalog'
import { withShape } from '@/graph/data-shape'
import type { FlowEdge, FlowNode } from '@/graph/document'
import { withoutLostItems } from '@/graph/edits/edges'
import { setExposed, setSetting } from '@/graph/edits/nodes'
import { settingValue } from '@/graph/ports'
import { canExpose, type SettingField } from '@/graph/setting-fields'
import { ownValueError, valueError } from '@/graph/validate'
import { parseValuePath, pathOfError } from '@/graph/value-path'
import { templateSettings } from '@/graph/variables'
import { widgetOf } from '@/graph/widgets'
import { classes } from '@/lib/classes'
import { ExposedForm } from './exposed-setting'
import { ConnectionSource } from './input-row'
import { useReplacedControl } from './use-replaced-control'
import { SettingVariable, VariableMenu } from './variable-menu'

type SettingRowProps = {
  node: FlowNode
  type: NodeType
  field: SettingField
  /** The edge that is connected to this setting, if any. */
  source: FlowEdge | undefined
}

/** One setting with label, help and error; a connected one shows its source. */
export function SettingRow({ node, type, field: setting, source }: SettingRowProps) {
  const session = useSession()
  const field = withShape(node, setting)
  const bound = useBoundNode(node)
  return (
    <ValueRow
      node={node}
      field={field}
      source={source}
      typeId={type.id}
      value={settingValue(node, type, field.name)}
      isSet={field.name in node.settings}
      canExpose={canExpose(type, field.name)}
      canDrive={!type.subflow}
      variables={type.variables.includes(field.name)}
      siblings={bound.settings}
      onChange={(next) =>
        session.edit(
          (flow) => withoutLostItems(setSetting(flow, node.id, field.name, next), session.catalog, node.id),
          `${node.id}.${field.name}`,
        )
      }
    />
  )
}

type ValueRowProps = Pick<ControlProps, 'typeId' | 'value' | 'variables' | 'siblings' | 'onChange'> & {
  node: FlowNode
  field: SettingField
  /** Its name where the control looks up choices, if that is another. */
  setting?: string
  /** Its name among the uses of variables, if that is another. */
  use?: string
  source: FlowEdge | undefined
  isSet: boolean
  canExpose: boolean
  canDrive: boolean
}

/** A value of a node with label, help and error, and what else can be done with it. */
export function ValueRow(props: ValueRowProps) {
  const {
    node,
    field,
    setting,
    use = field.name,
    source,
    value,
    isSet,
    canExpose,
    canDrive,
    onChange,
    ...control
  } = props
  const { t } = useTranslation('inspector')
  const errorText = useValueErrorText()
  const session = useSession()
  const problems = useChecks((checks) => checks.byNode.get(node.id))
  const imageId = useMaskedImage(node, widgetOf(field.schema) === 'mask')
  const { row, onReplace } = useReplacedControl(node, use)
  useRequestedPart(row, node.id, field.name)
  const isTemplate = templateSettings(session.catalog.type(control.typeId)).includes(use)
  const insert = (name: string) => {
    const area = row.current?.querySelector('textarea')
    const text = typeof value === 'string' ? value : ''
    const [from, to] = area ? [area.selectionStart, area.selectionEnd] : [text.length, text.length]
    const placeholder = `{{${name}}}`
    session.flow.settle()
    onChange(text.slice(0, from) + placeholder + text.slice(to))
    session.flow.settle()
    // The next one goes behind it.
    requestAnimationFrame(() => area?.setSelectionRange(from + placeholder.length, from + placeholder.length))
  }
  if (source) return <ConnectionSource title={field.title} edge={source} isSetting />
  const found = problems?.find((one) => isAbout(one.setting, field.name))
  const problem = found?.message
  if (node.variables?.[use] !== undefined)
    return (
      <SettingDrop ref={row} node={node.id} setting={field.name} disabled={!canDrive}>
        <SettingVariable node={node} field={field} use={use} problem={problem} onReplace={onReplace} />
      </SettingDrop>
    )
  const hasErrorInside = valueError(field.schema, value) !== null
  const own = ownValueError(field.schema, value)
  const error = errorText(own) ?? (hasErrorInside ? undefined : problem)
  const errorPath = own ? pathOfError(own, value) : parseValuePath(found?.setting ?? '').slice(1)
  const exposed = node.exposed?.[field.name]
  return (
    <SettingDrop ref={row} node={node.id} setting={field.name} disabled={!canDrive}>
      <Field
        label={field.title}
        help={field.schema.description}
        error={error}
        onErrorClick={
          errorPath.length > 0
            ? () => session.view.setState({ part: { node: node.id, setting: field.name, path: errorPath } })
            : undefined
        }
        required={field.required}
        aside={
          session.canEdit && (
            <span className="flex flex-none gap-0.5 self-center">
              {isSet && field.schema.default !== undefined && (
                <FieldButton
                  label={t('reset')}
                  icon={<RotateCcw />}
                  onClick={() => {
                    onChange(undefined)
                    session.flow.settle()
                  }}
                />
              )}
              {canExpose && !exposed && (
                <FieldButton
                  label={t('exposed.show')}
                  aria-label={t('exposed.showOf', { title: field.title })}
                  icon={<SquareUserRound />}
                  onClick={() => {
                    session.edit((flow) => setExposed(flow, node.id, field.name, {}))
                    session.flow.settle()
                  }}
                />
              )}
              {canDrive && (
                <VariableMenu
                  node={node}
                  field={field}
                  use={use}
                  value={value}
                  onReplace={onReplace}
                  onInsert={isTemplate ? insert : undefined}
                />
              )}
              {canDrive && (
                <FieldButton
                  label={t('drive')}
                  aria-label={t('driveSetting', { title: field.title })}
                  icon={<Plug />}
                  onClick={() =>
                    session.view.setState({
                      port: { end: { node: node.id, port: field.name }, side: 'target' },
                      dialog: 'connect',
                    })
                  }
                />
              )}
            </span>
          )
        }
      >
        <SettingControl
          {...control}
          imageId={imageId}
          field={setting === undefined ? field : { ...field, name: setting }}
          value={value}
          place={`${session.flowId}/${node.id}.${field.name}`}
          disabled={!session.canEdit}
          onChange={onChange}
          onSettle={() => session.flow.settle()}
        />
      </Field>
      {exposed && <ExposedForm node={node} field={field} exposed={exposed} />}
    </SettingDrop>
  )
}

/** A problem's "Go to node" and an error under the setting move the focus to the part that they are about. */
function useRequestedPart(row: RefObject<HTMLDivElement | null>, node: string, setting: string) {
  const session = useSession()
  const part = useView((view) => view.part)
  useEffect(() => {
    if (part?.node !== node || part.setting !== setting) return
    const go = () => {
      // The code of some controls loads when they are first shown.
      if (row.current?.querySelector('[data-loading]')) return
      session.view.setState({ part: null })
      if (row.current) goToPart(row.current, part.path)
    }
    const observer = new MutationObserver(go)
    if (row.current) observer.observe(row.current, { childList: true, subtree: true })
    go()
    return () => observer.disconnect()
  }, [part, node, setting, row, session])
}

/** Whether a problem is about a setting or a part of it; names of inputs of an agent have dots. */
function isAbout(path: string | null | undefined, name: string): boolean {
  return path === name || path?.split(/[.[]/)[0] === name
}

type SettingDropProps = {
  ref: RefObject<HTMLDivElement | null>
  node: string
  setting: string
  disabled?: boolean
  children: ReactNode
}

/** The row of a setting: an edge dropped on it drives the setting. */
function SettingDrop({ ref, node, setting, disabled = false, children }: SettingDropProps) {
  const accepts = useView(({ connecting }) => connecting?.accepts.has(`target:${node}.${setting}`) ?? false)
  const edgeDrop = useView((view) => view.edgeDrop?.node === node && view.edgeDrop.port === setting)
  return (
    <div
      ref={ref}
      data-setting-drop={disabled ? undefined : `${node}.${setting}`}
      className={classes(
        'rounded-s outline-offset-4',
        accepts && 'outline-1 outline-hairline-strong outline-dashed',
        edgeDrop && 'outline-2 outline-cobalt outline-solid',
      )}
    >
      {children}
    </div>
  )
}
