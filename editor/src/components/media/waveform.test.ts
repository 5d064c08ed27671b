// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { seekTo } from './waveform'

it.each([
  ['ArrowRight', 2, 7],
  ['ArrowUp', 2, 7],
  ['ArrowLeft', 9, 4],
  ['ArrowLeft', 2, 0],
  ['ArrowRight', 8, 10],
  ['Home', 8, 0],
  ['End', 1, 10],
  ['Enter', 1, null],
])('%s leads a sound of 10 s from %d to %s', (key, at, to) => expect(seekTo(key, at, 10)).toBe(to))
