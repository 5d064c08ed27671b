/**
 * Names for identifiers that the server sends: choices of settings and value types. Only those whose name
 * does not follow from the identifier; see `humanize`.
 */
export const terms = {
  yes: 'Yes',
  no: 'No',
  item: 'item',
  items: 'items',
  number: 'No.',
  values: {
    auto: 'Automatic',
    voice_over: 'Voice-over',
    'as the picture': 'As the image',
  },
  /** One value and a list of values of a type. */
  types: {
    Text: ['Text', 'Texts'],
    Number: ['Number', 'Numbers'],
    Integer: ['Whole number', 'Whole numbers'],
    Boolean: ['Yes or no', 'Yes or no, list'],
    Json: ['Data', 'Data list'],
    Image: ['Image', 'Images'],
    Video: ['Video', 'Videos'],
    Audio: ['Audio', 'Audio files'],
    File: ['File', 'Files'],
    Brand: ['Brand', 'Brands'],
    Any: ['Anything', 'Any list'],
  },
  mediaTypes: {
    'audio/mpeg': 'MP3',
    'audio/mp4': 'M4A',
    'audio/x-wav': 'WAV',
    'image/svg+xml': 'SVG',
    'text/plain': 'Text',
    'video/quicktime': 'MOV',
  },
} as const
