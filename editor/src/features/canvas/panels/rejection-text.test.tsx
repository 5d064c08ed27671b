// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { RejectionReason } from '@/graph/connect'
import '@/lib/i18n/editor'
import { RejectionText } from './rejection-text'

const source = { port: 'Output', node: 'User prompt', type: 'Text' }
const target = { port: 'Image', node: 'Video generation', type: 'Image' }

test.each<[RejectionReason, string]>([
  [{ code: 'missingPort' }, 'One of these ports no longer exists.'],
  [{ code: 'sameNode' }, 'A node cannot be connected to itself.'],
  [
    { code: 'cycle', source: 'Writer', target: 'Painter' },
    'Writer depends on Painter: this connection would create a cycle.',
  ],
  [
    { code: 'typeMismatch', source, target },
    'Output of User prompt gives Text, but Image of Video generation takes Image.',
  ],
  [
    { code: 'listDepth', source, target },
    'Output of User prompt gives lists, and Image of Video generation takes only single items here. Insert a node that works on single items.',
  ],
])('%j is shown as a sentence', (reason, sentence) => {
  render(<RejectionText reason={reason} />)
  screen.getByText('These ports cannot be connected')
  expect(screen.getByText(sentence)).toBeDefined()
})
