import { LONG_TEXT_HEIGHT } from '@/graph/card-room'

/** The beginning of a text, in as many whole lines as the reserved `height` (in pixels) holds. */
export function CardText({ text, height }: { text: string; height: number }) {
  const lines = height < LONG_TEXT_HEIGHT ? 'card-short-text' : 'card-long-text'
  return <p className={`${lines} whitespace-pre-line break-words`}>{text}</p>
}
