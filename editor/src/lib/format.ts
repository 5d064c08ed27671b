// Not by `Intl`, whose first formatter of each kind takes a phone 20 to 60 ms.
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
]
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

const shortMonth = (month: number) => MONTHS[month]?.slice(0, 3)

/** Formats "$0.31"; below a cent with enough digits to be non-zero: "$0.002". */
export function dollars(amount: string | number | null | undefined): string {
  const value = Number(amount ?? 0)
  const size = Math.abs(value)
  return `${value < 0 ? '-' : ''}$${size !== 0 && size < 0.01 ? oneDigit(size) : cents(size)}`
}

function oneDigit(value: number): string {
  const exponent = value.toExponential(0).split('-')[1]
  return value.toFixed(Number(exponent))
}

function cents(value: number): string {
  // Shifted as a decimal number: 1.005 is slightly less as a binary one.
  const rounded = Math.round(Number(`${value}e2`)) / 100
  return (Number.isNaN(rounded) ? value : rounded).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')
}

/** Formats a duration: "0.4 s", "11.2 s", "40 s", "3 min", "1 h 5 min". */
export function seconds(value: number): string {
  if (value < 20) return `${trim(value)} s`
  if (value < 90) return `${Math.round(value)} s`
  const minutes = Math.round(value / 60)
  if (minutes < 60) return `${minutes} min`
  const rest = minutes % 60
  return rest === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${rest} min`
}

function trim(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '')
}

/** Formats elapsed time: "0:31", "12:05", "1:02:09". */
export function clock(value: number): string {
  const whole = Math.max(0, Math.floor(value))
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}

/** Formats a past time: "just now", "12 s ago", "5 min ago", "3 h ago", "Tue 14:02", "2 Nov", "2 Nov 2024". */
export function ago(time: string | number | Date, now: number = Date.now()): string {
  const then = new Date(time)
  const passed = Math.max(0, (now - then.getTime()) / 1000)
  if (passed < 5) return 'just now'
  if (passed < 60) return `${Math.floor(passed)} s ago`
  if (passed < 3600) return `${Math.floor(passed / 60)} min ago`
  if (passed < 86_400) return `${Math.floor(passed / 3600)} h ago`
  if (passed < 6 * 86_400) return `${WEEKDAYS[then.getDay()]} ${timeOfDay(then)}`
  const day = `${then.getDate()} ${shortMonth(then.getMonth())}`
  return then.getFullYear() === new Date(now).getFullYear() ? day : `${day} ${then.getFullYear()}`
}

function timeOfDay(time: Date): string {
  return [time.getHours(), time.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Formats a calendar day such as "2026-11-21": "21 Nov 2026". */
export function day(date: string): string {
  const time = new Date(date)
  return `${time.getUTCDate()} ${shortMonth(time.getUTCMonth())} ${time.getUTCFullYear()}`
}

/** Formats a local date as the heading of a list: "3 November", "3 November 2024" if `withYear`. */
export function longDay(date: Date, withYear: boolean): string {
  return `${date.getDate()} ${MONTHS[date.getMonth()]}${withYear ? ` ${date.getFullYear()}` : ''}`
}

/** Formats date and time in full: "Nov 21, 2026, 14:02". */
export function moment(time: string | number | Date): string {
  const at = new Date(time)
  return `${shortMonth(at.getMonth())} ${at.getDate()}, ${at.getFullYear()}, ${timeOfDay(at)}`
}

/** Formats a use or a limit in its unit: "1,200", "3.2 GB", "$0.31". */
export function inUnit(value: string | number, unit: 'usd' | 'bytes' | 'count'): string {
  if (unit === 'usd') return dollars(value)
  return unit === 'bytes' ? bytes(Number(value)) : Number(value).toLocaleString('en')
}

/** Formats a size: "812 B", "14 kB", "3.2 MB". */
export function bytes(size: number): string {
  const units = ['B', 'kB', 'MB', 'GB'] as const
  let value = size
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit < 2 ? Math.round(value) : trim(value)} ${units[unit]}`
}

const PRICE_UNKNOWN = 'price unknown'

type Cost = { usd?: string | number | null; price_unknown?: boolean }

/** For example `$0.31`, or `$0.31 + price unknown` when the price of a step is not known; empty without either. */
export function formatCost(estimate: Cost | null | undefined): string {
  const usd = estimate?.usd
  if (!estimate?.price_unknown) return usd === null || usd === undefined ? '' : dollars(usd)
  return Number(usd ?? 0) > 0 ? `${dollars(usd)} + ${PRICE_UNKNOWN}` : PRICE_UNKNOWN
}
