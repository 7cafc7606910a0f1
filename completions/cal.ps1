# Completion of cal and calctl for powershell; written by: cal completion powershell
Register-ArgumentCompleter -Native -CommandName 'cal', 'calctl' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $length = $cursorPosition - $commandAst.Extent.StartOffset
    $line = $commandAst.Extent.Text.PadRight($length).Substring(0, $length)
    $typed = [Convert]::ToBase64String([System.Text.Encoding]::UTF8.GetBytes($line))
    $encoding = [Console]::OutputEncoding
    try {
        [Console]::OutputEncoding = [System.Text.Encoding]::UTF8
        $answer = @(& $commandAst.GetCommandName() __complete powershell $typed 2>$null)
    } catch {
        return
    } finally {
        [Console]::OutputEncoding = $encoding
    }
    if ($answer.Count -eq 0 -or $answer[0] -notin 'words', 'open') { return }
    foreach ($candidate in $answer | Select-Object -Skip 1) {
        if ($candidate -eq '') { break }
        $text, $means = $candidate -split "`t", 2
        if (-not $means) { $means = $text }
        [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $means)
    }
}
