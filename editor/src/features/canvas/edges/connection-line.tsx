import { type ConnectionLineComponentProps, getBezierPath } from '@xyflow/react'
import { useView } from '@/document/use-session'
import { colorOfType, colorVariable } from '@/lib/type-colors'

/** The edge in the hand. */
export function ConnectionLine(props: ConnectionLineComponentProps) {
  const { fromX, fromY, toX, toY, fromPosition, toPosition, connectionStatus } = props
  const type = useView((view) => view.connecting?.valueType ?? 'Any')
  const [path] = getBezierPath({
    sourceX: fromX,
    sourceY: fromY,
    sourcePosition: fromPosition,
    targetX: toX,
    targetY: toY,
    targetPosition: toPosition,
    curvature: 0.4,
  })
  const refused = connectionStatus === 'invalid'
  return (
    <path
      d={path}
      fill="none"
      strokeWidth={2.2}
      stroke={refused ? 'var(--madder)' : colorVariable[colorOfType(type)]}
      strokeDasharray={refused ? '4 5' : undefined}
    />
  )
}
