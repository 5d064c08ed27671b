import type { ComponentType } from 'react'
import { type Widget, widgetOf } from '@/graph/widgets'
import { BrandControl } from './brand-control'
import { ChoiceControl, FlowControl, OptionsControl, SegmentedControl } from './choice-controls'
import { ColorControl, ColorListControl } from './color-controls'
import { AnyControl, type ControlProps } from './control-props'
import { ItemsControl } from './items-control'
import {
  LazyApiWorkflow,
  LazyConditions,
  LazyKeyValue,
  LazyMask,
  LazySchema,
  LazyTable,
} from './lazy-controls'
import { ListControl } from './list-control'
import { MediaControl } from './media-control'
import { NumberControl, SliderControl, SwitchControl } from './number-controls'
import { ObjectControl } from './object-control'
import { JsonControl, LongTextControl, TextControl } from './text-controls'

const CONTROLS: Record<Widget, ComponentType<ControlProps>> = {
  text: TextControl,
  long_text: LongTextControl,
  variables: LongTextControl,
  number: NumberControl,
  slider: SliderControl,
  switch: SwitchControl,
  select: ChoiceControl,
  segmented: SegmentedControl,
  options: OptionsControl,
  colour: ColorControl,
  colors: ColorListControl,
  picture: MediaControl,
  file: MediaControl,
  list: ListControl,
  items: ItemsControl,
  object: ObjectControl,
  json: JsonControl,
  schema: LazySchema,
  key_value: LazyKeyValue,
  flow: FlowControl,
  table: LazyTable,
  brand: BrandControl,
  conditions: LazyConditions,
  api_workflow: LazyApiWorkflow,
  mask: LazyMask,
}

/** Edits one setting with the control of its schema. */
export function SettingControl(props: ControlProps) {
  const Control = CONTROLS[widgetOf(props.field.schema, props.depth)]
  return (
    <AnyControl value={SettingControl}>
      <Control {...props} />
    </AnyControl>
  )
}
