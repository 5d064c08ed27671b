import { useEffect } from 'react'
import { useSession } from '@/document/use-session'
import type { ComparisonDraft } from '@/document/view-store'
import { sessionStore } from '@/lib/storage'

const KEY = 'impasto.comparing.'

interface Stored {
  readonly comparisons: Readonly<Record<string, ComparisonDraft>>
  /** The node whose variants were being set up. */
  readonly node: string | null
}

/** Keeps the variants that are set up and have not started in this tab, so that a reload shows them again. */
export function useStoredComparison() {
  const session = useSession()
  useEffect(() => {
    const { flowId, view } = session
    const stored = session.canEdit ? sessionStore.read<Stored>(KEY + flowId) : null
    if (stored) {
      const { comparisons, node } = stored
      view.setState({ comparisons, ...(node && { comparing: { node, shows: 'setup' as const } }) })
    }
    return view.subscribe(({ comparisons, comparing }, before) => {
      if (comparisons === before.comparisons && comparing === before.comparing) return
      const node = comparing?.shows === 'setup' ? comparing.node : null
      const isEmpty = node === null && Object.keys(comparisons).length === 0
      sessionStore.write(KEY + flowId, isEmpty ? null : ({ comparisons, node } satisfies Stored))
    })
  }, [session])
}
