# Completion of cal and calctl for bash; written by: cal completion bash
__cal_complete() {
    local kind= line
    local -a program=("${1/#\~\//$HOME/}")
    case $1 in cal | calctl) [[ -z ${BASH_ALIASES[$1]-} ]] || read -ra program <<<"${BASH_ALIASES[$1]}" ;; esac
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ -z $kind ]]; then kind=$line
        elif [[ -n $line ]]; then COMPREPLY+=("$line")
        else break
        fi
    done < <("${program[@]}" __complete bash "$COMP_WORDBREAKS" "${COMP_LINE:0:COMP_POINT}" 2>/dev/null </dev/null)
    case $kind in
        words) ;;
        open) compopt -o nospace 2>/dev/null ;;
        files*)
            compopt -o default 2>/dev/null
            [[ $2 == @* ]] || return 0
            compopt -o nospace 2>/dev/null
            while IFS= read -r line; do
                [[ -d $line ]] && line+=/
                printf -v line '@%q' "$line"
                COMPREPLY+=("$line")
            done < <(compgen -f -- "${2#@}")
            ;;
        *) COMPREPLY=() ;;
    esac
}
complete -F __cal_complete cal calctl
