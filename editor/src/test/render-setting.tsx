import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { useState } from 'react'
import { I18nextProvider } from 'react-i18next'
import { type Mock, vi } from 'vitest'
import { Field } from '@/components/field'
import { preloadControls } from '@/components/setting/lazy-controls'
import { SettingControl } from '@/components/setting/setting-control'
import { useValueErrorText } from '@/components/setting/value-error-text'
import { TooltipProvider } from '@/components/tooltip'
import type { Schema } from '@/graph/catalog'
import { ownValueError } from '@/graph/validate'
import { i18n } from '@/lib/i18n'
import '@/lib/i18n/editor'
import { queryClient } from '@/lib/query-client'

// Tests of a control are not about its loading.
await preloadControls()

type Options = { disabled?: boolean; place?: string; typeId?: string }

export type RenderedSetting = {
  onChange: Mock<(value: unknown) => void>
  onSettle: Mock<() => void>
  /** Changes the value from outside, as undo does. */
  set: (value: unknown) => void
  unmount: () => void
}

/** Renders the setting "It" of a node, of type `draw` unless said otherwise, as in the inspector: with label, error and state. */
export function renderSetting(
  schema: Schema,
  start: unknown = schema.default,
  { disabled = false, place, typeId = 'draw' }: Options = {},
): RenderedSetting {
  const onChange = vi.fn<(value: unknown) => void>()
  const onSettle = vi.fn<() => void>()
  let set: (value: unknown) => void = () => undefined
  function Setting() {
    const [value, setValue] = useState(start)
    const errorText = useValueErrorText()
    set = setValue
    const field = {
      name: 'it',
      title: 'It',
      schema,
      advanced: false,
      main: false,
      group: null,
      required: false,
    }
    return (
      <Field label="It" error={errorText(ownValueError(schema, value))}>
        <SettingControl
          field={field}
          typeId={typeId}
          value={value}
          siblings={{ model: 'flux' }}
          disabled={disabled}
          place={place}
          onChange={(next) => {
            onChange(next)
            setValue(next === undefined ? schema.default : next)
          }}
          onSettle={onSettle}
        />
      </Field>
    )
  }
  const { unmount } = render(
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <TooltipProvider>
          <Setting />
        </TooltipProvider>
      </QueryClientProvider>
    </I18nextProvider>,
  )
  return { onChange, onSettle, set: (value) => set(value), unmount }
}
