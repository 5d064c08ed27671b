/** The settings by which input nodes limit their value: the choices of a Choice, the limits of a number. */
export const INPUT_LIMITS = { choices: 'options', minimum: 'lowest', maximum: 'highest' } as const
