import { createContext } from 'react'

/** The agent that is edited around a component; null outside the editor. No node of it can run it. */
export const OwnAgent = createContext<string | null>(null)
