// @vitest-environment jsdom
import { renderHook } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { usePageDrop } from './use-page-drop'

const image = new File(['x'], 'image.png', { type: 'image/png' })

/** Pastes an image and these types of text into an element. */
function paste(target: Element, texts: Record<string, string>): boolean {
  const clipboardData = {
    files: [image],
    types: [...Object.keys(texts), 'Files'],
    getData: (type: string) => texts[type] ?? '',
  }
  const event = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData })
  document.body.append(target)
  target.dispatchEvent(event)
  return event.defaultPrevented
}

function taking() {
  const onFiles = vi.fn()
  renderHook(() => usePageDrop({ onFiles }))
  return onFiles
}

afterEach(() => document.body.replaceChildren())

it('accepts a pasted image, wherever the focus is', () => {
  const taken = taking()
  expect(paste(document.createElement('textarea'), { 'text/html': '<img src="x">' })).toBe(true)
  expect(paste(document.createElement('div'), {})).toBe(true)
  expect(taken).toHaveBeenCalledTimes(2)
  expect(taken).toHaveBeenLastCalledWith([image])
})

it('leaves a paste of text with a preview image to the focused field', () => {
  const taken = taking()
  const document_ = { 'text/plain': 'A can', 'text/html': '<b>A</b> can' }
  expect(paste(document.createElement('textarea'), document_)).toBe(false)
  expect(taken).not.toHaveBeenCalled()
  expect(paste(document.createElement('div'), document_)).toBe(true)
})

it('accepts a copied file, whose name is pasted as text', () => {
  const taken = taking()
  expect(paste(document.createElement('textarea'), { 'text/plain': 'image.png' })).toBe(true)
  expect(taken).toHaveBeenCalledOnce()
})
