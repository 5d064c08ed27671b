import { Braces, Plus, Settings2, TextCursorInput, Unlink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { FieldButton } from '@/components/field-button'
import { IconButton } from '@/components/icon-button'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '@/components/menu'
import { VariableChip, VariableValue } from '@/components/variable/variable-chip'
import { useDocument, useSession } from '@/document/use-session'
import {
  addMissingVariable,
  assignVariable,
  detachVariable,
  showVariable,
  variableFromSetting,
} from '@/document/variable-actions'
import { type FlowNode, variablesOf } from '@/graph/document'
import { setVariableUse } from '@/graph/edits/variables'
import type { SettingField } from '@/graph/setting-fields'
import { canHold, findVariable, fits, MAX_VARIABLES } from '@/graph/variables'

type VariableMenuProps = {
  node: FlowNode
  field: SettingField
  /** The name of the setting among the uses of variables. */
  use: string
  value: unknown
  /** Called before the control is replaced by another one, which takes the focus. */
  onReplace: () => void
  /** Inserts a variable in the text; none for settings that are no template. */
  onInsert?: ((name: string) => void) | undefined
}

/** Offers the variables that fit a setting, and a new one of its value. */
export function VariableMenu({ node, field, use, value, onReplace, onInsert }: VariableMenuProps) {
  const { t } = useTranslation('inspector')
  const session = useSession()
  const variables = useDocument(variablesOf)
  const fitting = variables.filter((variable) => fits(field.schema, variable))
  const canMake = canHold(value) && variables.length < MAX_VARIABLES
  return (
    <Menu
      className="max-h-(--radix-dropdown-menu-content-available-height) max-w-72 overflow-y-auto"
      trigger={
        <FieldButton
          label={t('variable.use')}
          aria-label={t('variable.useFor', { title: field.title })}
          data-variable-control
          icon={<Braces />}
        />
      }
    >
      {onInsert && variables.length > 0 && (
        <>
          <MenuLabel>{t('variable.insert')}</MenuLabel>
          {variables.map(({ name }) => (
            <MenuItem key={name} icon={<TextCursorInput />} onSelect={() => onInsert(name)}>
              <code className="truncate font-mono text-[12.5px]">{`{{${name}}}`}</code>
            </MenuItem>
          ))}
          <MenuSeparator />
        </>
      )}
      {fitting.length > 0 && <MenuLabel>{t('variable.fitting')}</MenuLabel>}
      {fitting.map((variable) => (
        <MenuItem
          key={variable.name}
          icon={<Braces />}
          onSelect={() => {
            onReplace()
            assignVariable(session, node.id, use, variable.name)
          }}
        >
          <span className="flex min-w-0 items-baseline justify-between gap-3">
            <span className="max-w-36 truncate">{variable.name}</span>
            <span className="min-w-0 max-w-28 text-muted text-xs">
              <VariableValue variable={variable} />
            </span>
          </span>
        </MenuItem>
      ))}
      {fitting.length > 0 && <MenuSeparator />}
      {canMake && (
        <MenuItem
          icon={<Plus />}
          onSelect={() => {
            onReplace()
            variableFromSetting(session, node, field, use, value)
          }}
        >
          {t('variable.fromValue')}
        </MenuItem>
      )}
      {!canMake && fitting.length === 0 && (
        <p className="px-2.5 py-2 text-muted text-sm">{t('variable.noneFits')}</p>
      )}
      <MenuItem icon={<Settings2 />} onSelect={() => session.view.open('variables')}>
        {t('variable.manage')}
      </MenuItem>
    </Menu>
  )
}

/** A variable that sets a setting which the node does not have. */
export function LostUse({ node, use }: { node: FlowNode; use: string }) {
  const { t } = useTranslation('inspector')
  const session = useSession()
  const name = node.variables?.[use] ?? ''
  return (
    <div className="flex flex-col items-start gap-2 rounded-m bg-sunken p-3.5 text-sm">
      <p className="wrap-anywhere">{t('variable.lost', { name, setting: use.replace(/^inputs\./, '') })}</p>
      {session.canEdit && (
        <Button
          size="sm"
          onClick={() => {
            session.edit((flow) => setVariableUse(flow, node.id, use, undefined))
            session.flow.settle()
          }}
        >
          {t('variable.removeUse')}
        </Button>
      )}
    </div>
  )
}

type SettingVariableProps = Omit<VariableMenuProps, 'value'> & { problem: string | undefined }

/** A setting that a variable sets: the variable and its value. */
export function SettingVariable({ node, field, use, problem, onReplace }: SettingVariableProps) {
  const { t } = useTranslation('inspector')
  const session = useSession()
  const name = node.variables?.[use] ?? ''
  const variable = useDocument((flow) => findVariable(flow, name))
  return (
    <div className="flex flex-col gap-1.5">
      <span className="font-[550] text-sm">{field.title}</span>
      <div className="flex min-h-10 items-center gap-2.5 rounded-field border border-hairline bg-sunken pr-1.5 pl-2.5">
        {variable ? (
          <button
            type="button"
            data-variable-control
            aria-label={t('variable.open', { name })}
            onClick={() => showVariable(session, name)}
            className="flex min-w-0 flex-1 items-center gap-2 rounded-xs py-1.5 text-left text-muted text-sm hover:text-ink"
          >
            <VariableChip name={name} className="max-w-[75%] flex-none" />
            <VariableValue variable={variable} />
          </button>
        ) : (
          <span className="min-w-0 flex-1">
            <VariableChip name={name} isMissing />
          </span>
        )}
        {session.canEdit && (
          <IconButton
            size="sm"
            label={t('variable.detach')}
            aria-label={t('variable.detachOf', { name, title: field.title })}
            icon={<Unlink />}
            onClick={() => {
              onReplace()
              detachVariable(session, node.id, use)
            }}
          />
        )}
      </div>
      {variable && problem && (
        <p role="alert" className="text-[12.5px] text-madder-text">
          {problem}
        </p>
      )}
      {!variable && (
        <div className="flex flex-wrap items-center gap-2 text-madder-text text-sm">
          <p role="alert" className="w-full">
            {t('variable.missing', { name })}
          </p>
          {session.canEdit && (
            <Button
              size="sm"
              onClick={() => {
                onReplace()
                addMissingVariable(session, node, use)
              }}
            >
              {t('variable.add')}
            </Button>
          )}
          {session.canEdit && (
            <Button
              size="sm"
              variant="ghost"
              onClick={() => {
                onReplace()
                session.edit((flow) => setVariableUse(flow, node.id, use, undefined))
              }}
            >
              {t('variable.remove')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
