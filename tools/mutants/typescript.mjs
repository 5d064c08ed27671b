// Prints the mutants of one TypeScript module as JSON: [{line, column, before, after, source}].
import { readFileSync } from 'node:fs'
import ts from 'typescript'

const COMPARISONS = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===', '&&': '||', '||': '&&', '??': '&&' }
const OPERATORS = { '+': '-', '-': '+', '*': '/', '/': '*' }

const [path] = process.argv.slice(2)
const source = readFileSync(path, 'utf8')
const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS)
const mutants = []

function add(node, after) {
  const begin = node.getStart(file)
  const { line, character } = file.getLineAndCharacterOfPosition(begin)
  mutants.push({
    line: line + 1,
    column: character,
    before: source.slice(begin, node.end),
    after,
    source: source.slice(0, begin) + after + source.slice(node.end),
  })
}

/** Text is joined with `+` too: only sums of what is not a literal text are changed. */
const isText = (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)

/** `null`, `undefined` and `false` are the same to most conditions, and `false` is changed to `true`. */
const isNothing = (node) =>
  node.kind === ts.SyntaxKind.NullKeyword || node.kind === ts.SyntaxKind.FalseKeyword || node.getText(file) === 'undefined'

/** A number of a module, such as a distance of a layout, has no right value that a test could know. */
function isInFunction(node) {
  for (let each = node.parent; each; each = each.parent) if (ts.isFunctionLike(each)) return true
  return false
}

function visit(node) {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isThrowStatement(node)) return
  if (ts.isBinaryExpression(node)) {
    const operator = node.operatorToken.getText(file)
    const isSum = isInFunction(node) && !isText(node.left) && !isText(node.right)
    const other = COMPARISONS[operator] ?? (isSum ? OPERATORS[operator] : undefined)
    // In parentheses: `&&` beside `??` is no JavaScript, which every test would notice.
    if (other) add(node, `((${node.left.getText(file)}) ${other} (${node.right.getText(file)}))`)
  } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    add(node, `!!${node.operand.getText(file)}`)
  } else if (ts.isNumericLiteral(node) && isInFunction(node)) {
    add(node, String(Number(node.text) + 1))
  } else if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false')
  else if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true')
  else if (ts.isIfStatement(node) || ts.isWhileStatement(node)) add(node.expression, `!(${node.expression.getText(file)})`)
  else if (ts.isConditionalExpression(node)) add(node.condition, `!(${node.condition.getText(file)})`)
  else if (ts.isReturnStatement(node) && node.expression && !isNothing(node.expression)) add(node.expression, 'undefined as never')
  else if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) add(node, ';')
  ts.forEachChild(node, visit)
}

visit(file)
process.stdout.write(JSON.stringify(mutants))
