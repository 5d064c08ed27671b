import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useContext, useState } from 'react'
import { Combobox } from '@/components/combobox'
import { useAgentPages } from '@/lib/agents/use-agent-pages'
import { flowsByIdQuery } from '@/lib/api/flows'
import { useTypedText } from '@/lib/use-typed-text'
import { OwnAgent } from './own-agent'

type AgentComboboxProps = Omit<ComponentProps<typeof Combobox>, 'choices' | 'loading' | 'onSearch'> & {
  /** The choice of no agent, whose value is ''. */
  any?: string
}

/** Selects one of the agents that the user may see, but for the one that is edited; the server searches them. */
export function AgentCombobox({ any, ...rest }: AgentComboboxProps) {
  const { value } = rest
  const [text, setText] = useState('')
  const [, onSearch] = useTypedText(text, setText)
  const own = useContext(OwnAgent)
  const { agents, isFetching } = useAgentPages({ includeAll: true, text })
  const isListed = !value || agents.some(({ id }) => id === value)
  const { data: chosen = [] } = useQuery({ ...flowsByIdQuery([value ?? '']), enabled: !isListed })
  const choices = [
    ...(isListed ? [] : chosen.filter(({ id }) => id === value)),
    ...agents.filter(({ id }) => id === value || id !== own),
  ]
  return (
    <Combobox
      {...rest}
      choices={[
        ...(any === undefined ? [] : [{ value: '', label: any }]),
        ...choices.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      loading={isFetching}
      onSearch={onSearch}
    />
  )
}
