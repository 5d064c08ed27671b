import { createContext, type FunctionComponent, useContext } from 'react'
import type { ControlProps } from './control-props'

/** The control for any setting, lent by it to the forms that stand inside one. */
export const AnyControl = createContext<FunctionComponent<ControlProps> | null>(null)

/** Edits what lies inside another setting: a field of an object, an item of a list. */
export function NestedControl(props: ControlProps) {
  const Control = useContext(AnyControl)
  return Control && <Control {...props} />
}
