/** Web storage that may be blocked, full or corrupt; it then behaves as if it were empty. */
function safeStorage(area: () => Storage) {
  return {
    read<T>(key: string): T | null {
      try {
        const text = area().getItem(key)
        return text === null ? null : (JSON.parse(text) as T)
      } catch {
        return null
      }
    },
    /** Returns whether the value was stored. One that was not is lost at the next reload, which is harmless. */
    write(key: string, value: unknown): boolean {
      try {
        if (value === null || value === undefined) area().removeItem(key)
        else area().setItem(key, JSON.stringify(value))
        return true
      } catch {
        return false
      }
    },
    /** Removes all but the values of these keys. */
    clear(except: readonly string[] = []): void {
      try {
        for (const key of Object.keys(area())) if (!except.includes(key)) area().removeItem(key)
      } catch {
        // Blocked storage holds nothing.
      }
    },
  }
}

/** Shared by all tabs, persistent. */
export const localStore = safeStorage(() => window.localStorage)
/** For this tab, removed with it. */
export const sessionStore = safeStorage(() => window.sessionStorage)
