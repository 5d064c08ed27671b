// A script of its own task: `react-dom` is CommonJS, and its code runs where it is first imported.
import 'react-dom/client'
